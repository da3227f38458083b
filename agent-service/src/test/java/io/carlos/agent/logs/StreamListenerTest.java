package io.carlos.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StreamListenerTest {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Predicate<UserPrincipal> ANYBODY = peer -> true;
    private static final StreamEnd WELL = new StreamEnd(false, false);

    @TempDir
    Path directory;

    private Path path;
    private final RecordingStreams streams = new RecordingStreams();

    @BeforeEach
    void namePath() {
        path = directory.resolve("i-1.cmd.out.sock");
    }

    private StreamListener listen() throws IOException {
        return StreamListener.open(path, ANYBODY, streams::open);
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(path));
    }

    private static void send(SocketChannel connection, String text) throws IOException {
        send(connection, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(SocketChannel connection, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            connection.write(buffer);
        }
    }

    @Test
    void everyConnectionIsReadToItsEndAndToldSo() throws Exception {
        StreamListener listener = listen();
        try (SocketChannel first = connect()) {
            send(first, "of ExecStart");
        }
        try (SocketChannel second = connect();
                SocketChannel third = connect()) {
            send(second, "of ExecStopPost");
            send(third, "at once");
        }
        assertThat(listener.finish(BOUND)).isEqualTo(WELL);
        assertThat(streams.ended()).contains("of ExecStart", "of ExecStopPost", "at once");
    }

    @Test
    void bytesThatNobodyHadReadWhenTheListenerFinishesAreTakenOver() throws Exception {
        for (int round = 0; round < 200; round++) {
            StreamListener listener = listen();
            String text = "round " + round;
            try (SocketChannel connection = connect()) {
                send(connection, text);
            }
            assertThat(listener.finish(BOUND)).isEqualTo(WELL);
            assertThat(streams.ended()).as(text).contains(text);
        }
    }

    @Test
    void backlogOfManyConnectionsIsTakenOver() throws Exception {
        StreamListener listener = listen();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            try (SocketChannel connection = connect()) {
                send(connection, "connection " + i);
                sent.add("connection " + i);
            }
        }
        listener.finish(BOUND);
        assertThat(streams.ended()).containsAll(sent);
    }

    @Test
    void finishedListenerLeavesNoSocketAndNoThread() throws Exception {
        StreamListener listener = listen();
        try (SocketChannel connection = connect()) {
            send(connection, "x");
        }
        listener.finish(BOUND);
        assertThat(path).doesNotExist();
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
        assertThat(listener.finish(BOUND)).as("a second finish").isEqualTo(WELL);
    }

    @Test
    void unusedListenerFinishes() throws Exception {
        assertThat(listen().finish(BOUND)).isEqualTo(WELL);
    }

    @Test
    void staleSocketIsReplaced() throws Exception {
        try (ServerSocketChannel earlier = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            earlier.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();
        StreamListener listener = listen();
        try (SocketChannel connection = connect()) {
            send(connection, "new");
        }
        listener.finish(BOUND);
        assertThat(streams.ended()).contains("new");
    }

    @Test
    void socketIsItsOwnersAlone() throws Exception {
        StreamListener listener = listen();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        listener.finish(BOUND);
    }

    @Test
    void missingDirectoryIsAnErrorThatNamesThePath() {
        path = directory.resolve("absent/x.sock");
        assertThatThrownBy(this::listen).isInstanceOf(IOException.class).hasMessageContaining(path.toString());
    }

    @Test
    void refusedPeerIsHungUpOnUnread() throws Exception {
        StreamListener listener = StreamListener.open(path, peer -> false, streams::open);
        try (SocketChannel connection = connect()) {
            assertThat(connection.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(listener.finish(BOUND)).isEqualTo(WELL);
        assertThat(streams.opened()).isZero();
    }

    @Test
    void peerIsWhoConnected() throws Exception {
        List<String> asked = new ArrayList<>();
        Predicate<UserPrincipal> record = peer -> {
            asked.add(peer.getName());
            return true;
        };
        StreamListener listener = StreamListener.open(path, record, streams::open);
        connect().close();
        listener.finish(BOUND);
        assertThat(asked).contains(System.getProperty("user.name"));
    }

    @Test
    void onlyRootTellsRootFromOthers() throws Exception {
        Predicate<UserPrincipal> onlyRoot = StreamListener.onlyRoot();
        assertThat(onlyRoot.test(principal("root"))).isTrue();
        assertThat(onlyRoot.test(principal("daemon"))).isFalse();
    }

    private UserPrincipal principal(String name) throws IOException {
        return directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
    }

    @Test
    void connectionHeldOpenPastTheBoundIsCutOff() throws Exception {
        StreamListener listener = listen();
        try (SocketChannel held = connect()) {
            send(held, "before");
            assertThat(listener.finish(SHORT)).isEqualTo(new StreamEnd(true, false));
            assertThat(streams.ended()).contains("before");
            assertThatThrownBy(() -> send(held, "after")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void writerThatNeverEndsIsCutOffAlthoughTheSinkIsBusyAllTheTime() throws Exception {
        StreamListener listener = StreamListener.open(path, ANYBODY, () -> (bytes, offset, length) -> Thread.sleep(1));
        try (SocketChannel endless = connect()) {
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        send(endless, new byte[64 * 1024]);
                    }
                } catch (IOException e) {
                    // The listener has hung up.
                }
            });
            assertThat(listener.finish(BOUND)).isEqualTo(new StreamEnd(true, false));
            writer.join();
        }
    }

    @Test
    void endlessWriterIsReadForNoMoreThanASocketHoldsOnceTheUnitHasEnded() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicLong taken = new AtomicLong();
        StreamListener listener = StreamListener.open(path, ANYBODY, () -> (bytes, offset, length) -> {
            ended.await();
            taken.addAndGet(length);
        });
        try (SocketChannel endless = connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writer = threads.submit(() -> {
                while (true) {
                    send(endless, new byte[64 * 1024]);
                }
            });
            Thread finisher = Thread.ofPlatform().start(() -> {
                try {
                    listener.finish(BOUND);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            while (Files.exists(path)
                    || finisher.getState() != Thread.State.TIMED_WAITING
                            && finisher.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            ended.countDown();
            finisher.join();
            assertThat(writer).failsWithin(BOUND);
        }
        assertThat(taken).hasPositiveValue().hasValueLessThan(2 << 20);
    }

    @Test
    void blockedSinkHoldsTheWriter() throws Exception {
        CountDownLatch opened = new CountDownLatch(1);
        StreamListener listener = StreamListener.open(path, ANYBODY, () -> streams.open(opened::await));
        byte[] much = new byte[4 << 20];
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> sender = threads.submit(() -> {
                try (SocketChannel connection = connect()) {
                    send(connection, much);
                }
                return null;
            });
            streams.awaitBlocked();
            assertThat(sender.isDone()).as("4 MiB in a socket's buffer").isFalse();
            opened.countDown();
            sender.get();
        }
        listener.finish(BOUND);
        assertThat(streams.ended()).extracting(String::length).contains(much.length);
    }

    @Test
    void timeInWhichTheSinkHoldsTheBytesDoesNotCount() throws Exception {
        Duration bound = Duration.ofSeconds(1);
        CountDownLatch opened = new CountDownLatch(1);
        StreamListener listener = StreamListener.open(path, ANYBODY, () -> streams.open(opened::await));
        try (SocketChannel connection = connect()) {
            send(connection, "kept");
        }
        streams.awaitBlocked();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StreamEnd> finish = threads.submit(() -> listener.finish(bound));
            assertThat(endOfHeldConnection(bound).cutOff())
                    .as("the bound has passed")
                    .isTrue();
            assertThat(finish.isDone()).isFalse();
            opened.countDown();
            assertThat(finish.get()).isEqualTo(WELL);
        }
        assertThat(streams.ended()).contains("kept");
    }

    private StreamEnd endOfHeldConnection(Duration bound) throws Exception {
        path = directory.resolve("other.sock");
        StreamListener listener = StreamListener.open(path, ANYBODY, new RecordingStreams()::open);
        try (SocketChannel held = connect()) {
            send(held, "x");
            return listener.finish(bound);
        }
    }

    @Test
    void sinkThatGivesUpHangsUpOnTheWriter() throws Exception {
        StreamListener listener = StreamListener.open(path, ANYBODY, () -> (bytes, offset, length) -> {
            throw new InterruptedException("given up");
        });
        try (SocketChannel connection = connect()) {
            assertThatThrownBy(() -> {
                        while (true) {
                            send(connection, "y\n");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(listener.finish(BOUND)).isEqualTo(WELL);
    }

    @Test
    void sinkThatFailsIsALoss() throws Exception {
        StreamListener listener = StreamListener.open(path, ANYBODY, () -> (bytes, offset, length) -> {
            throw new IllegalStateException("a broken sink");
        });
        try (SocketChannel connection = connect()) {
            send(connection, "x");
        }
        assertThat(listener.finish(BOUND)).isEqualTo(new StreamEnd(false, true));
    }

    @Test
    void listenerWhoseSocketWasRemovedFinishes() throws Exception {
        StreamListener listener = listen();
        Files.delete(path);
        assertThat(listener.finish(BOUND).cutOff()).isFalse();
    }

    @Test
    void interruptedFinishCanBeMadeAgain() throws Exception {
        StreamListener listener = listen();
        try (SocketChannel held = connect()) {
            send(held, "kept");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> listener.finish(BOUND)).isInstanceOf(InterruptedException.class);
        }
        assertThat(listener.finish(BOUND)).isEqualTo(WELL);
        assertThat(streams.ended()).contains("kept");
    }
}
