package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.carlos.guest.exec.Execution;
import io.carlos.model.guest.v1.ExecExit;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.ExecStreamResponse;
import io.carlos.model.guest.v1.ExecStreamResponse.FrameCase;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.SignalRequest;
import io.carlos.model.testing.Seeded;
import io.carlos.model.testing.SupervisorProcess;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ExecStream and Signal, against a real supervisor that is a process of this machine. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ExecStreamContract {
    private static final int KILL = 9;
    private static final int TERM = 15;

    @TempDir
    private static Path directory;

    private static SupervisorProcess supervisor;
    private static Connection connection;

    private final Supplier<String[]> settings;

    /** @param settings of the supervisor */
    ExecStreamContract(Supplier<String[]> settings) {
        this.settings = settings;
    }

    @BeforeAll
    void startSupervisor() throws Exception {
        supervisor = SupervisorProcess.start(directory, settings.get());
        connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID);
    }

    @AfterAll
    static void stopSupervisor() throws Exception {
        try (SupervisorProcess stopped = supervisor;
                Connection closed = connection) {
            assertThat(closed.calls()).isNotNull();
            assertThat(stopped.log()).doesNotContain("ERROR");
        }
    }

    private static Status.Code signal(String execId, int number) {
        try {
            var answer = connection
                    .calls()
                    .signal(SignalRequest.newBuilder()
                            .setExecId(execId)
                            .setSignal(number)
                            .build());
            assertThat(answer).isNotNull();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private static void awaitNone(String commandLine) throws Exception {
        Await.until(
                "nobody runs " + commandLine,
                () -> CommandLines.running(commandLine).isEmpty());
    }

    private static void awaitSome(String commandLine) throws Exception {
        Await.until(
                "somebody runs " + commandLine,
                () -> !CommandLines.running(commandLine).isEmpty());
    }

    @Test
    void startedIsFirstAndExitLastAndEachComesOnce() throws Exception {
        Frames frames = Frames.start(connection, "sh", "-c", "echo out; echo err >&2; exit 3");
        List<FrameCase> cases =
                frames.frames().stream().map(ExecStreamResponse::getFrameCase).toList();
        assertThat(cases)
                .startsWith(FrameCase.STARTED)
                .endsWith(FrameCase.EXIT)
                .containsOnlyOnce(FrameCase.STARTED, FrameCase.EXIT);
        assertThat(frames.last().getExit())
                .isEqualTo(ExecExit.newBuilder().setExitCode(3).build());
    }

    @Test
    void aSignalIsToldApartFromAStatus() throws Exception {
        assertThat(Frames.start(connection, "sh", "-c", "kill -KILL $$").last().getExit())
                .isEqualTo(ExecExit.newBuilder().setSignal(KILL).build());
        assertThat(Frames.start(connection, "sh", "-c", "exit 137").last().getExit())
                .isEqualTo(ExecExit.newBuilder().setExitCode(137).build());
    }

    @Test
    void stdinComesInOrderUntilItIsClosed() throws Exception {
        Frames frames = Frames.start(connection, "cat");
        frames.send(Frames.stdinFrame("one ")).send(Frames.stdinFrame("")).send(Frames.stdinFrame("two"));
        assertThat(frames.send(Frames.closeFrame()).stdout().toStringUtf8()).isEqualTo("one two");
    }

    @Test
    void halfClosingTheCallIsNotTheEndOfStdin() throws Exception {
        Frames frames = Frames.start(connection, "sh", "-c", "read line; echo end of stdin");
        String id = frames.execId();
        frames.halfClose();
        assertThat(signal(id, TERM)).isEqualTo(Status.Code.OK);
        assertThat(frames.last().getExit().getSignal()).isEqualTo(TERM);
        assertThat(frames.stdout()).isEqualTo(ByteString.EMPTY);
    }

    @Test
    void sevenHundredThousandSingleBytesAllCome() throws Exception {
        Frames frames =
                Frames.start(connection, "dd", "if=/dev/zero", "of=/dev/stdout", "bs=1", "count=700000", "status=none");
        assertThat(frames.stdout().size()).isEqualTo(700_000);
    }

    @Test
    void noFrameIsLargerThanPromised() throws Exception {
        Frames frames = Frames.start(connection, "head", "-c", "3000000", "/dev/zero");
        assertThat(frames.frames())
                .allSatisfy(frame -> assertThat(frame.getStdout().size()).isLessThanOrEqualTo(Execution.LARGEST_PIECE));
        assertThat(frames.stdout().size()).isEqualTo(3_000_000);
    }

    @Test
    void aCommandCopiesMoreThanAnyBufferHolds() throws Exception {
        byte[] bytes = new byte[32 * 1024];
        new Random(3).nextBytes(bytes);
        Frames frames = Frames.start(connection, "cat");
        for (int i = 0; i < 200; i++) {
            frames.send(ExecStreamRequest.newBuilder()
                    .setStdin(ByteString.copyFrom(bytes))
                    .build());
        }
        frames.send(Frames.closeFrame());
        ByteString expected = ByteString.copyFrom(IntStream.range(0, 200)
                .mapToObj(i -> ByteString.copyFrom(bytes))
                .collect(Collectors.toList()));
        assertThat(frames.stdout().equals(expected)).isTrue();
    }

    @Test
    void stdinThatTheCommandDoesNotReadHoldsUpNothing() throws Exception {
        Frames frames = Frames.start(connection, "sh", "-c", "echo ready; exit 4");
        for (int i = 0; i < 50; i++) {
            frames.send(ExecStreamRequest.newBuilder()
                    .setStdin(ByteString.copyFrom(new byte[32 * 1024]))
                    .build());
        }
        assertThat(frames.last().getExit().getExitCode()).isEqualTo(4);
    }

    @Test
    void interleavedStreamsEachKeepTheirOrder() throws Exception {
        Frames frames = Frames.start(
                connection, "sh", "-c", "i=0; while [ $i -lt 500 ]; do echo $i; echo $i >&2; i=$((i+1)); done");
        String expected =
                IntStream.range(0, 500).mapToObj(Integer::toString).collect(Collectors.joining("\n", "", "\n"));
        assertThat(frames.stdout().toStringUtf8()).isEqualTo(expected);
        assertThat(frames.stderr().toStringUtf8()).isEqualTo(expected);
    }

    @Test
    void aTrappedSignalEndsWithTheCommandsOwnStatus() throws Exception {
        Frames frames =
                Frames.start(connection, "sh", "-c", "trap 'exit 42' TERM; echo ready; while :; do sleep 0.05; done");
        frames.awaitOutput();
        assertThat(signal(frames.execId(), TERM)).isEqualTo(Status.Code.OK);
        assertThat(frames.last().getExit())
                .isEqualTo(ExecExit.newBuilder().setExitCode(42).build());
    }

    @Test
    void killTakesTheWholeTree() throws Exception {
        Frames frames =
                Frames.start(connection, "sh", "-c", "setsid sleep 3701 & (trap '' TERM; sleep 3702) & sleep 3703");
        String id = frames.execId();
        awaitSome("sleep 3701");
        awaitSome("sleep 3703");
        assertThat(signal(id, KILL)).isEqualTo(Status.Code.OK);
        assertThat(signal(id, KILL)).isEqualTo(Status.Code.OK);
        assertThat(frames.last().getExit().getSignal()).isEqualTo(KILL);
        assertThat(CommandLines.running("sleep 3701", "sleep 3702", "sleep 3703"))
                .isEmpty();
    }

    @Test
    void aSignalToACommandThatHasEndedDoesNothing() throws Exception {
        Frames frames = Frames.start(connection, "true");
        assertThat(frames.status().isOk()).isTrue();
        assertThat(signal(frames.execId(), KILL)).isEqualTo(Status.Code.OK);
        assertThat(signal(frames.execId(), TERM)).isEqualTo(Status.Code.OK);
    }

    @Test
    void aSignalToACommandThatNeverWasIsNotFound() {
        assertThat(signal("no-such-exec", KILL)).isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void aNumberThatIsNoSignalIsRefused() throws Exception {
        String id = Frames.start(connection, "true").execId();
        assertThat(signal(id, 0)).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(signal(id, 65)).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(signal(id, -9)).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void cancellingTheCallKillsTheTree() throws Exception {
        Frames frames = Frames.start(connection, "sh", "-c", "setsid sleep 3711 & sleep 3712");
        awaitSome("sleep 3711");
        awaitSome("sleep 3712");
        frames.cancel();
        awaitNone("sleep 3711");
        awaitNone("sleep 3712");
    }

    @Test
    void aBrokenConnectionKillsTheTree() throws Exception {
        try (Connection other = new Connection(supervisor.socket())) {
            assertThat(Frames.start(other, "sh", "-c", "sleep 3721 & sleep 3722")
                            .execId())
                    .isNotEmpty();
            awaitSome("sleep 3721");
            awaitSome("sleep 3722");
        }
        awaitNone("sleep 3721");
        awaitNone("sleep 3722");
    }

    @Test
    void whoDoesNotReadStopsTheCommandAndNobodyElse() throws Exception {
        ClientCall<ExecStreamRequest, ExecStreamResponse> call =
                connection.channel().newCall(GuestControlGrpc.getExecStreamMethod(), CallOptions.DEFAULT);
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        call.request(1);
        call.sendMessage(Frames.startFrame("sh", "-c", "yes 3731 | head -c 50000000; sleep 3732"));
        awaitSome("yes 3731");
        for (int i = 0; i < 100; i++) {
            ExecRequest request = ExecRequest.newBuilder().addCommand("true").build();
            assertThat(connection.calls().exec(request).getExitCode()).isZero();
        }
        assertThat(CommandLines.running("yes 3731", "sleep 3732")).containsExactly("yes 3731");
        call.request(Integer.MAX_VALUE);
        awaitSome("sleep 3732");
        call.cancel("enough", null);
        awaitNone("sleep 3732");
    }

    @Test
    void framesOutOfOrderAreRefusedAndTheCommandIsKilled() throws Exception {
        Frames twice = Frames.start(connection, "sleep", "3741");
        awaitSome("sleep 3741");
        twice.send(Frames.startFrame("true"));
        assertThat(twice.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        awaitNone("sleep 3741");
    }

    @Test
    void stdinAfterItsEndIsRefused() throws Exception {
        Frames frames = Frames.start(connection, "sleep", "3742");
        frames.send(Frames.closeFrame()).send(Frames.stdinFrame("late"));
        assertThat(frames.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        awaitNone("sleep 3742");
    }

    @Test
    void aSecondEndOfStdinIsRefused() throws Exception {
        Frames frames = Frames.start(connection, "sleep", "3743");
        frames.send(Frames.closeFrame()).send(Frames.closeFrame());
        assertThat(frames.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void anythingBeforeStartIsRefused() throws Exception {
        for (ExecStreamRequest frame :
                List.of(Frames.stdinFrame("early"), Frames.closeFrame(), ExecStreamRequest.getDefaultInstance())) {
            assertThat(Frames.open(connection).send(frame).status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
        Frames nothing = Frames.open(connection);
        nothing.halfClose();
        assertThat(nothing.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void aCommandThatCannotStartIsRefused() throws Exception {
        assertThat(Frames.start(connection, "no-such-program").status().getCode())
                .isEqualTo(Status.Code.NOT_FOUND);
        assertThat(Frames.start(connection).status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    /** Bytes instead of messages, so that also what no message is goes over the wire. */
    private static final MethodDescriptor<byte[], ExecStreamResponse> RAW =
            MethodDescriptor.<byte[], ExecStreamResponse>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName(GuestControlGrpc.getExecStreamMethod().getFullMethodName())
                    .setRequestMarshaller(new MethodDescriptor.Marshaller<>() {
                        @Override
                        public InputStream stream(byte[] value) {
                            return new ByteArrayInputStream(value);
                        }

                        @Override
                        public byte[] parse(InputStream stream) {
                            throw new UnsupportedOperationException();
                        }
                    })
                    .setResponseMarshaller(
                            GuestControlGrpc.getExecStreamMethod().getResponseMarshaller())
                    .build();

    @Test
    void fuzzedFramesAlwaysEndTheCallWithAStatus() throws Exception {
        Seeded.check(200, random -> {
            CompletableFuture<Status> end = new CompletableFuture<>();
            ClientCall<byte[], ExecStreamResponse> call = connection
                    .channel()
                    .newCall(
                            RAW, CallOptions.DEFAULT.withDeadlineAfter(Connection.BOUND.toSeconds(), TimeUnit.SECONDS));
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            end.complete(status);
                        }
                    },
                    new Metadata());
            call.request(Integer.MAX_VALUE);
            for (int i = random.nextInt(4); i >= 0; i--) {
                call.sendMessage(fuzzed(random));
            }
            // Whatever was sent ends the call, also when the other side may go on.
            if (random.nextBoolean()) {
                call.halfClose();
            }
            Status.Code code = end.get(60, TimeUnit.SECONDS).getCode();
            assertThat(code).isNotIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE);
        });
        assertThat(connection
                        .calls()
                        .exec(ExecRequest.newBuilder().addCommand("true").build())
                        .getExitCode())
                .isZero();
    }

    private static byte[] fuzzed(Random random) {
        ExecStreamRequest valid = List.of(
                        Frames.startFrame("true"), Frames.stdinFrame("some input"), Frames.closeFrame())
                .get(random.nextInt(3));
        byte[] bytes = valid.toByteArray();
        for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }
}
