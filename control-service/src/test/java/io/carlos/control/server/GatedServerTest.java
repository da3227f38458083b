package io.carlos.control.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.peer.Verdict;
import io.carlos.control.peer.Vetting;
import io.carlos.control.request.Endpoint;
import io.carlos.control.testing.Await;
import io.carlos.control.testing.RawClient;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate in the whole server, whichever way that got its socket. */
@Timeout(60)
class GatedServerTest {
    private static final Vetting ADMITS = socket -> CompletableFuture.completedFuture(new Verdict.Admitted());
    private static final Vetting REFUSES = socket ->
            CompletableFuture.completedFuture(new Verdict.Refused(Verdict.Refusal.OTHER_PROCESS, "a test's peer"));

    /** As many bytes as one read takes. */
    private static final String REQUEST = "GET /ping HTTP/1.1\r\nHost: x\r\n\r\n";

    private final AtomicInteger pings = new AtomicInteger();
    private final List<ServedEndpoints> served = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        served.forEach(ServedEndpoints::close);
    }

    private Path path() {
        return directory.resolve("control.sock");
    }

    private ListenSocket socket(boolean adopted) throws Exception {
        return adopted
                ? ListeningSocket.at(path())
                : new ListenSocket.Bound(path(), Files.getOwner(directory).getName());
    }

    private ServedEndpoints serve(ListenSocket socket, Vetting vetting, ServerLimits limits) {
        Endpoint ping = new Endpoint("ping", Endpoint.Method.GET, "/ping", false, List.of(), query -> {
            pings.incrementAndGet();
            return null;
        });
        ServedEndpoints endpoints = new ServedEndpoints(socket, vetting, limits, List.of(ping));
        served.add(endpoints);
        return endpoints;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAdmittedPeerIsAnswered(boolean adopted) throws Exception {
        serve(socket(adopted), ADMITS, ServerLimits.DEFAULT).start();

        try (RawClient client = RawClient.connect(path())) {
            assertThat(client.request("GET /ping").answer().status()).isEqualTo(204);
            assertThat(client.request("GET /ping").answer().status()).isEqualTo(204);
        }
    }

    /** Linux resets a connection that is closed with unread bytes: a server that had read them would just end it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRefusedPeerGetsNoByteAndIsNotRead(boolean adopted) throws Exception {
        ListenSocket socket = socket(adopted);
        ServedEndpoints endpoints = serve(socket, REFUSES, ServerLimits.DEFAULT).start();

        try (RawClient client = RawClient.connect(path())) {
            RawClient.End end = sendAndEnd(client);
            assertThat(end.bytes()).isZero();
        }
        Await.until("the refusal is counted", () -> endpoints.refused("other_process") == 1);
        assertThat(pings).hasValue(0);
    }

    private static RawClient.End sendAndEnd(RawClient client) {
        try {
            client.send(REQUEST);
        } catch (IOException e) {
            // Closed already, before anything could be sent.
            return new RawClient.End(0, true);
        }
        return client.end();
    }

    @Test
    void aRefusedPeerThatCameBeforeTheServerGetsNoByteAndIsNotRead() throws Exception {
        ListenSocket socket = socket(true);
        try (RawClient client = RawClient.connect(path()).send(REQUEST)) {
            serve(socket, REFUSES, ServerLimits.DEFAULT).start();

            assertThat(client.end()).isEqualTo(new RawClient.End(0, true));
        }
        assertThat(pings).hasValue(0);
    }

    @Test
    void anAdmittedPeerThatCameBeforeTheServerIsAnswered() throws Exception {
        ListenSocket socket = socket(true);
        try (RawClient client = RawClient.connect(path()).send(REQUEST)) {
            serve(socket, ADMITS, ServerLimits.DEFAULT).start();

            assertThat(client.answer().status()).isEqualTo(204);
        }
    }

    @Test
    void aPeerThatIsStillBeingVettedIsNotReadAndKeepsNobodyElse() throws Exception {
        CompletableFuture<Verdict> slow = new CompletableFuture<>();
        AtomicInteger peers = new AtomicInteger();
        Vetting firstIsSlow = socket -> peers.getAndIncrement() == 0 ? slow : ADMITS.vet(socket);
        serve(socket(true), firstIsSlow, ServerLimits.DEFAULT).start();

        try (RawClient first = RawClient.connect(path()).send(REQUEST)) {
            Await.until("the first is being vetted", () -> peers.get() == 1);
            try (RawClient second = RawClient.connect(path())) {
                assertThat(second.request("GET /ping").answer().status()).isEqualTo(204);
            }
            assertThat(pings).hasValue(1);

            slow.complete(new Verdict.Refused(Verdict.Refusal.SYSTEMD_SILENT, "a test's peer"));
            assertThat(first.end()).isEqualTo(new RawClient.End(0, true));
        }
        assertThat(pings).hasValue(1);
    }

    @Test
    void aVettingThatFailsRefuses() throws Exception {
        serve(
                        socket(true),
                        socket -> CompletableFuture.failedFuture(new IllegalStateException("planned")),
                        ServerLimits.DEFAULT)
                .start();

        try (RawClient client = RawClient.connect(path())) {
            assertThat(sendAndEnd(client).bytes()).isZero();
        }
        assertThat(pings).hasValue(0);
    }

    @Test
    void furtherConnectionsWaitAtTheLimitUntilOneIsClosed() throws Exception {
        AtomicInteger peers = new AtomicInteger();
        Vetting counted = socket -> {
            peers.incrementAndGet();
            return ADMITS.vet(socket);
        };
        serve(socket(true), counted, ServerLimits.DEFAULT).start();
        List<RawClient> open = new ArrayList<>();
        for (int i = 0; i < ServerLimits.DEFAULT.connections(); i++) {
            open.add(RawClient.connect(path()));
            assertThat(open.get(i).request("GET /ping").answer().status()).isEqualTo(204);
        }
        try (RawClient further = RawClient.connect(path()).send(REQUEST)) {
            // An answer on an open connection shows that the loop went round without accepting.
            assertThat(open.get(0).request("GET /ping").answer().status()).isEqualTo(204);
            assertThat(peers).hasValue(ServerLimits.DEFAULT.connections());

            open.remove(0).close();
            assertThat(further.answer().status()).isEqualTo(204);
        }
        for (RawClient client : open) {
            client.close();
        }
    }

    @Test
    void refusedConnectionsDoNotUseUpTheLimit() throws Exception {
        ServedEndpoints endpoints =
                serve(socket(true), REFUSES, ServerLimits.DEFAULT).start();

        int many = ServerLimits.DEFAULT.connections() * 2;
        for (int i = 0; i < many; i++) {
            try (RawClient client = RawClient.connect(path())) {
                assertThat(client.end().bytes()).isZero();
            }
        }
        Await.until("all are counted", () -> endpoints.refused("other_process") == many);
    }

    @Test
    void anAdoptedSocketStaysWhenTheServerStopsAndServesTheNext() throws Exception {
        ListenSocket.Adopted first = ListeningSocket.at(path());
        ServedEndpoints endpoints = serve(first, ADMITS, ServerLimits.DEFAULT).start();
        Object inode = Files.getAttribute(path(), "unix:ino");

        endpoints.close();
        served.remove(endpoints);

        assertThat(Files.getAttribute(path(), "unix:ino")).isEqualTo(inode);
    }

    @Test
    void aBoundSocketIsItsOwnersAloneAndGoesWithTheServer() throws Exception {
        ServedEndpoints endpoints =
                serve(socket(false), ADMITS, ServerLimits.DEFAULT).start();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
                .isEqualTo("rw-------");

        endpoints.close();
        served.remove(endpoints);
        assertThat(path()).doesNotExist();
    }

    @Test
    void aSocketThatAnEarlierProcessLeftIsReplaced() throws Exception {
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(path()));
        }
        serve(socket(false), ADMITS, ServerLimits.DEFAULT).start();

        try (RawClient client = RawClient.connect(path())) {
            assertThat(client.request("GET /ping").answer().status()).isEqualTo(204);
        }
    }

    @Test
    void aSocketThatSomebodyListensOnAndAnyOtherFileAreLeftAlone() throws Exception {
        serve(socket(false), ADMITS, ServerLimits.DEFAULT).start();
        assertThatThrownBy(
                        () -> serve(socket(false), ADMITS, ServerLimits.DEFAULT).start())
                .hasMessageContaining("another process listens");

        Path file = Files.writeString(directory.resolve("file"), "mine");
        ListenSocket onFile =
                new ListenSocket.Bound(file, Files.getOwner(directory).getName());
        assertThatThrownBy(() -> serve(onFile, ADMITS, ServerLimits.DEFAULT).start())
                .hasMessageContaining("expected a socket or nothing");
        assertThat(file).hasContent("mine");
    }
}
