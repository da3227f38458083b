package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MetadataAddressesTest {
    private final AtomicLong now = new AtomicLong();

    private MetadataAddresses at(InetSocketAddress... addresses) {
        return new MetadataAddresses(List.of(addresses), "metadata", "no device", now::get);
    }

    private static ServerSocket server() throws Exception {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static InetSocketAddress address(ServerSocket server) {
        return new InetSocketAddress("127.0.0.1", server.getLocalPort());
    }

    private static InetSocketAddress refusing() throws Exception {
        try (ServerSocket server = server()) {
            return address(server);
        }
    }

    @Test
    void anAddressThatAnswersIsAnObjectionThatNamesItAndWhatToDo() throws Exception {
        try (ServerSocket server = server()) {
            assertThat(at(refusing(), address(server)).objection())
                    .hasValueSatisfying(objection -> assertThat(objection)
                            .startsWith("127.0.0.1:" + server.getLocalPort() + ": a metadata service answers there")
                            .contains("(no device)", "IPAddressDeny=")
                            .endsWith("; see metadata"));
        }
    }

    @Test
    void anAddressThatRefusesIsNone() throws Exception {
        assertThat(at(refusing()).objection()).isEmpty();
    }

    @Test
    void aNameThatIsNoAddressIsAnObjection() {
        assertThat(at(InetSocketAddress.createUnresolved("metadata.invalid", 80))
                        .objection())
                .contains("metadata.invalid:80 is no address; see metadata");
    }

    @Test
    void whatWasFoundHoldsForAMinute() throws Exception {
        ServerSocket server = server();
        MetadataAddresses addresses = at(address(server));
        assertThat(addresses.objection()).isPresent();
        server.close();

        now.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(addresses.objection()).isPresent();

        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(addresses.objection()).isEmpty();
    }

    @Test
    void whoeverIsInterruptedIsToldThatNobodyLooked() throws Exception {
        Thread.currentThread().interrupt();
        try {
            assertThat(at(refusing()).objection())
                    .hasValueSatisfying(objection -> assertThat(objection).contains("interrupted"));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
