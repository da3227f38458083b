package io.carlos.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.CommandTimeoutException;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.model.guest.v1.ExecExit;
import io.carlos.model.guest.v1.ExecStarted;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.ExecStreamResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.HealthRequest;
import io.carlos.model.guest.v1.HealthResponse;
import io.carlos.model.guest.v1.SignalRequest;
import io.carlos.model.guest.v1.SignalResponse;
import io.carlos.model.guest.v1.StartExec;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A guest that does not do what it promised, as one may in which a tenant has taken over the supervisor. */
@Timeout(60)
class HostileGuestTest {
    private static final ExecStreamResponse STARTED = started("exec-1");
    private static final ExecStreamResponse EXIT = ExecStreamResponse.newBuilder()
            .setExit(ExecExit.newBuilder().setExitCode(0))
            .build();

    @TempDir
    private Path directory;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final HostileGuest guest = new HostileGuest();
    private Server server;
    private ManagedChannel channel;

    /** Answers what the test says to each command, and agrees to every signal. */
    private static final class HostileGuest extends GuestControlGrpc.GuestControlImplBase {
        private final CompletableFuture<ServerCallStreamObserver<ExecStreamResponse>> call = new CompletableFuture<>();
        private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
        private ExecStreamResponse[] answers = {STARTED};

        @Override
        public StreamObserver<ExecStreamRequest> execStream(StreamObserver<ExecStreamResponse> response) {
            ServerCallStreamObserver<ExecStreamResponse> server =
                    (ServerCallStreamObserver<ExecStreamResponse>) response;
            server.setOnCancelHandler(() -> cancelled.complete(null));
            for (ExecStreamResponse answer : answers) {
                response.onNext(answer);
            }
            call.complete(server);
            return new StreamObserver<>() {
                @Override
                public void onNext(ExecStreamRequest request) {
                    assertThat(request).isNotNull();
                }

                @Override
                public void onError(Throwable cause) {
                    cancelled.complete(null);
                }

                @Override
                public void onCompleted() {
                    cancelled.complete(null);
                }
            };
        }

        @Override
        public void signal(SignalRequest request, StreamObserver<SignalResponse> response) {
            response.onNext(SignalResponse.getDefaultInstance());
            response.onCompleted();
        }

        @Override
        public void health(HealthRequest request, StreamObserver<HealthResponse> response) {
            response.onNext(HealthResponse.getDefaultInstance());
            response.onCompleted();
        }
    }

    private static ExecStreamResponse started(String id) {
        return ExecStreamResponse.newBuilder()
                .setStarted(ExecStarted.newBuilder().setExecId(id))
                .build();
    }

    private static ExecStreamResponse stdout(int bytes) {
        return ExecStreamResponse.newBuilder()
                .setStdout(ByteString.copyFrom(new byte[bytes]))
                .build();
    }

    private static ExecStreamResponse stderr(int bytes) {
        return ExecStreamResponse.newBuilder()
                .setStderr(ByteString.copyFrom(new byte[bytes]))
                .build();
    }

    private Path socket() {
        return directory.resolve("guest");
    }

    private void serve() throws IOException {
        server = NettyServerBuilder.forAddress(new DomainSocketAddress(socket().toFile()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .addService(guest)
                .build()
                .start();
    }

    @BeforeEach
    void start() throws IOException {
        serve();
        channel = GuestChannels.open(new GuestAddress.UnixSocket(socket()), loop, KeepAlive.PATIENT);
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow();
        server.shutdownNow().awaitTermination();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    private StreamedCommand command(ExecStreamResponse... answers) throws Exception {
        guest.answers = answers;
        StreamedCommand command = new StreamedCommand("the test's command", channel, Duration.ofMillis(1));
        command.start(StartExec.getDefaultInstance());
        return command;
    }

    @Test
    void aFrameLargerThanPromisedEndsTheCommand() throws Exception {
        StreamedCommand command = command(STARTED, stdout(64 * 1024));
        CommandException failure = catchThrowableOfType(CommandException.class, command::waitFor);
        assertThat(failure.reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure).hasMessageContaining("exceeds maximum size 65536");
    }

    @Test
    void aKilledCommandWhoseEndIsNeverToldHasEnded() throws Exception {
        StreamedCommand command = command(STARTED);
        command.kill();
        ExitStatusException end = catchThrowableOfType(ExitStatusException.class, command::waitFor);
        assertThat(end.signal()).isEqualTo(9);
        guest.cancelled.get(30, TimeUnit.SECONDS);
    }

    /** Nobody reads, as when the output's way is blocked; more comes than a command that runs may have on the way. */
    @Test
    void outputBehindAKillIsKeptAndHoldsUpNoEnd() throws Exception {
        guest.answers = new ExecStreamResponse[] {STARTED};
        StreamedCommand command = new StreamedCommand("the test's command", channel);
        command.start(StartExec.getDefaultInstance());
        command.kill();
        ServerCallStreamObserver<ExecStreamResponse> call = guest.call.get(30, TimeUnit.SECONDS);
        for (int i = 0; i < 60; i++) {
            call.onNext(stdout(32 * 1024));
        }
        call.onNext(EXIT);
        call.onCompleted();
        assertThat(command.waitFor()).isZero();
        assertThat(command.stdout().readAllBytes()).hasSize(60 * 32 * 1024);
    }

    @Test
    void aKilledCommandThatPrintsWithoutEndIsNotHeardOut() throws Exception {
        guest.answers = new ExecStreamResponse[] {STARTED};
        StreamedCommand command = new StreamedCommand("the test's command", channel);
        command.start(StartExec.getDefaultInstance());
        command.kill();
        Thread reader = Thread.ofVirtual()
                .start(() -> assertThatThrownBy(() -> command.stdout().transferTo(OutputStream.nullOutputStream()))
                        .isInstanceOf(CommandException.class));
        ServerCallStreamObserver<ExecStreamResponse> call = guest.call.get(30, TimeUnit.SECONDS);
        while (!guest.cancelled.isDone()) {
            if (call.isReady()) {
                call.onNext(stdout(32 * 1024));
            } else {
                Thread.onSpinWait();
            }
        }
        CommandException failure = catchThrowableOfType(CommandException.class, command::waitFor);
        assertThat(failure).hasMessageContaining("more output than a killed command can have left");
        reader.join();
    }

    @Test
    void aCallThatGoesOnBehindItsCommandIsGivenUp() throws Exception {
        StreamedCommand command = command(STARTED, stdout(5), EXIT);
        assertThat(command.stdout().readAllBytes()).hasSize(5);
        assertThat(command.stderr().readAllBytes()).isEmpty();
        assertThat(command.waitFor()).isZero();
        guest.cancelled.get(30, TimeUnit.SECONDS);
    }

    /** More lines than pieces may be on the way. */
    @Test
    void linesThatNobodyReadsHoldUpNoOtherStream() throws Exception {
        ExecStreamResponse[] answers = new ExecStreamResponse[502];
        answers[0] = STARTED;
        for (int i = 1; i <= 500; i++) {
            answers[i] = stderr(20);
        }
        answers[501] = stdout(1);
        StreamedCommand command = command(answers);
        assertThat(command.stdout().read()).isZero();
        assertThat(command.stderr().readNBytes(10_000)).hasSize(10_000);
        command.kill();
    }

    @Test
    void aStartThatIsNeverToldIsGivenUp() throws Exception {
        guest.answers = new ExecStreamResponse[] {};
        StreamedCommand command = new StreamedCommand("the test's command", channel);
        assertThatThrownBy(() -> command.start(StartExec.getDefaultInstance(), Duration.ofMillis(1)))
                .isInstanceOf(CommandTimeoutException.class);
    }

    @Test
    void aStartWithoutAnIdentifierIsNone() {
        // A signal to the empty identifier would stop the guest.
        assertThatThrownBy(() -> command(started(""))).isInstanceOf(CommandException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"started", "output", "exit"})
    void whatComesAfterTheEndEndsTheCallAndChangesNothing(String what) throws Exception {
        ExecStreamResponse again = switch (what) {
            case "started" -> STARTED;
            case "output" -> stdout(1);
            default ->
                ExecStreamResponse.newBuilder()
                        .setExit(ExecExit.newBuilder().setExitCode(1))
                        .build();
        };
        guest.answers = new ExecStreamResponse[] {STARTED, EXIT, again};
        StreamedCommand command = new StreamedCommand("the test's command", channel);
        command.start(StartExec.getDefaultInstance());
        guest.cancelled.get(15, TimeUnit.SECONDS);
        assertThat(command.stdout().readAllBytes()).isEmpty();
        assertThat(command.waitFor()).isZero();
    }

    /** Whoever listens there afterwards may be a tenant's command. */
    @Test
    void aMachineIsConnectedToOnce() throws Exception {
        Path front = directory.resolve("front");
        try (VsockFront monitor = VsockFront.start(front, socket(), VsockFront.bytes("OK 1\n"));
                GuestClient client = GuestClient.of(new GuestAddress.HybridVsock(front, 1024), loop)) {
            assertThat(client.health(Duration.ofSeconds(30)).version()).isEmpty();
            assertThat(monitor.request()).isEqualTo("CONNECT 1024\n");
            server.shutdownNow().awaitTermination();
            serve();
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> client.health(Duration.ofSeconds(30))).isInstanceOf(CommandException.class);
            }
        }
    }
}
