package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.SignalRequest;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.testing.SupervisorProcess;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Exec, against a real supervisor that is a process of this machine. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ExecContract {
    private static final int QUICK_COMMANDS = 10_000;

    @TempDir
    private static Path directory;

    private static SupervisorProcess supervisor;
    private static Connection connection;

    private final Supplier<String[]> settings;

    /** @param settings of the supervisor */
    ExecContract(Supplier<String[]> settings) {
        this.settings = settings;
    }

    @BeforeAll
    void startSupervisor() throws Exception {
        supervisor = SupervisorProcess.start(directory, settings.get());
        connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterAll
    static void stopSupervisor() throws Exception {
        try (SupervisorProcess stopped = supervisor;
                Connection closed = connection) {
            assertThat(stopped.log()).doesNotContain("ERROR");
            assertThat(closed).isNotNull();
        }
    }

    private static ExecRequest.Builder request(String... command) {
        return ExecRequest.newBuilder().addAllCommand(List.of(command));
    }

    private static ExecResponse exec(String... command) {
        return connection.calls().exec(request(command).build());
    }

    private static String stdout(ExecRequest.Builder request) {
        return connection.calls().exec(request.build()).getStdout().toStringUtf8();
    }

    private static void assertRefused(Status.Code code, ExecRequest.Builder request) {
        Throwable refusal = catchThrowable(() -> connection.calls().exec(request.build()));
        assertThat(Status.fromThrowable(refusal).getCode()).as("%s", refusal).isEqualTo(code);
    }

    @Test
    void exit0Is0() {
        assertThat(exec("true")).isEqualTo(ExecResponse.getDefaultInstance());
    }

    @Test
    void anotherStatusIsAResponse() {
        assertThat(exec("sh", "-c", "exit 7").getExitCode()).isEqualTo(7);
    }

    @Test
    void the126And127OfACommandAreItsOwn() {
        assertThat(exec("sh", "-c", "exit 126").getExitCode()).isEqualTo(126);
        assertThat(exec("sh", "-c", "exit 127").getExitCode()).isEqualTo(127);
    }

    @Test
    void aSignalIs128AndItsNumber() {
        assertThat(exec("sh", "-c", "kill -USR1 $$").getExitCode()).isEqualTo(138);
    }

    @Test
    void outputComesOnItsOwnStream() {
        ExecResponse response = exec("sh", "-c", "printf out; printf err >&2");
        assertThat(response.getStdout().toStringUtf8()).isEqualTo("out");
        assertThat(response.getStderr().toStringUtf8()).isEqualTo("err");
    }

    @Test
    void everyByteComesBack() {
        byte[] bytes = new byte[1_500_000];
        new Random(7).nextBytes(bytes);
        ExecRequest.Builder request = request("cat").setStdin(ByteString.copyFrom(bytes));
        assertThat(connection.calls().exec(request.build()).getStdout().toByteArray())
                .isEqualTo(bytes);
    }

    @Test
    void absentStdinIsAtItsEnd() {
        assertThat(exec("cat")).isEqualTo(ExecResponse.getDefaultInstance());
    }

    @Test
    void stdinThatNobodyReadsIsNoError() {
        ExecRequest.Builder request = request("true").setStdin(ByteString.copyFrom(new byte[4_000_000]));
        assertThat(connection.calls().exec(request.build()).getExitCode()).isZero();
    }

    @Test
    void exactlyTheLimitOfOutputComes() {
        ExecResponse response = exec("head", "-c", Integer.toString(UnaryExec.OUTPUT_LIMIT), "/dev/zero");
        assertThat(response.getStdout().size()).isEqualTo(UnaryExec.OUTPUT_LIMIT);
    }

    @Test
    void oneByteOverTheLimitOfOutputIsRefused() {
        assertRefused(
                Status.Code.RESOURCE_EXHAUSTED,
                request("head", "-c", Integer.toString(UnaryExec.OUTPUT_LIMIT + 1), "/dev/zero"));
    }

    @Test
    void aRequestOver16MebibytesIsRefused() {
        assertRefused(Status.Code.RESOURCE_EXHAUSTED, request("cat").setStdin(ByteString.copyFrom(new byte[17 << 20])));
    }

    @Test
    void theEnvironmentIsThatOfProvisionUnderThatOfTheRequest() {
        ExecRequest.Builder request = request("sh", "-c", "printf '%s|%s|%s|' \"$BASE\" \"$LINES2\" \"${EMPTY-unset}\"")
                .putAllEnv(Map.of("LINES2", "one\ntwo", "EMPTY", ""));
        assertThat(stdout(request)).isEqualTo("from provision|one\ntwo||");
        assertThat(stdout(request("sh", "-c", "printf %s \"$BASE\"").putEnv("BASE", "own")))
                .isEqualTo("own");
    }

    @Test
    void nothingOfTheSupervisorsEnvironmentIsInherited() {
        assertThat(stdout(request("env")).lines().map(line -> line.replaceAll("=.*", "")))
                .containsExactlyInAnyOrder("PATH", "BASE", "CARLOS_EXEC_ID");
    }

    @Test
    void theWorkingDirectoryIsTheRequestedOne() {
        assertThat(stdout(request("pwd").setWorkdir(directory.toString()))).isEqualTo(directory + "\n");
        assertThat(stdout(request("pwd"))).isEqualTo("/\n");
    }

    @Test
    void aMissingWorkingDirectoryIsRefused() {
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").setWorkdir("/no/such/directory"));
    }

    @Test
    void aRelativeWorkingDirectoryIsRefused() {
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").setWorkdir("tmp"));
    }

    @Test
    void aWorkingDirectoryThatTheUserMayNotEnterIsRefused() throws Exception {
        Path closed = Files.createDirectory(
                directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").setWorkdir(closed.toString()));
    }

    @Test
    void anEmptyCommandIsRefused() {
        assertRefused(Status.Code.INVALID_ARGUMENT, request());
        assertRefused(Status.Code.INVALID_ARGUMENT, request(""));
    }

    @Test
    void aProgramThatIsNotThereIsNotFound() {
        assertRefused(Status.Code.NOT_FOUND, request("no-such-program"));
        assertRefused(Status.Code.NOT_FOUND, request("/no/such/program"));
    }

    @Test
    void aLongNameInARefusalHarmsNobodyElse() throws Exception {
        Frames neighbour = Frames.start(connection, "sleep", "3605");
        String id = neighbour.execId();
        assertRefused(Status.Code.NOT_FOUND, request("x".repeat(20_000)));
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").putEnv("x=".repeat(5_000), "1"));
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").setWorkdir("/" + "é".repeat(2_000)));
        SignalRequest signal = SignalRequest.newBuilder()
                .setExecId("x".repeat(20_000))
                .setSignal(9)
                .build();
        assertThat(Status.fromThrowable(catchThrowable(() -> connection.calls().signal(signal)))
                        .getCode())
                .isEqualTo(Status.Code.NOT_FOUND);
        assertThat(connection.calls().signal(signal.toBuilder().setExecId(id).build()))
                .isNotNull();
        assertThat(neighbour.last().getExit().getSignal()).isEqualTo(9);
    }

    @Test
    void aProgramWhoseInterpreterIsNotThereIsNotFound() throws Exception {
        Path script = Files.writeString(directory.resolve("script"), "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertRefused(Status.Code.NOT_FOUND, request(script.toString()));
    }

    @Test
    void aProgramThatMayNotBeExecutedIsDenied() {
        assertRefused(Status.Code.PERMISSION_DENIED, request("/etc/passwd"));
    }

    @Test
    void aBadEnvironmentVariableIsRefused() {
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").putEnv("", "value"));
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").putEnv("A=B", "value"));
        assertRefused(Status.Code.INVALID_ARGUMENT, request("true").putEnv("A", "a\0b"));
    }

    @Test
    void anArgumentWithANulIsRefused() {
        assertRefused(Status.Code.INVALID_ARGUMENT, request("echo", "a\0b"));
    }

    @Test
    void argumentsThatAreTooLongForTheKernelAreRefused() {
        assertRefused(Status.Code.INVALID_ARGUMENT, request("echo", "x".repeat(1 << 20)));
    }

    @Test
    void rootIsDenied() {
        assertRefused(Status.Code.PERMISSION_DENIED, request("true").setUid(0));
    }

    @Test
    void theNumberThatMeansNoChangeIsDenied() {
        assertRefused(Status.Code.PERMISSION_DENIED, request("true").setUid(-1));
    }

    @Test
    void aCommandLeadsItsOwnSessionAndHasNoMoreThanThreeDescriptors() {
        assertThat(stdout(request("sh", "-c", "set -- $(cat /proc/self/stat); [ $5 = $6 ] && [ $6 = $$ ] && echo own")))
                .isEqualTo("own\n");
        assertThat(stdout(request("ls", "/proc/self/fd"))).isEqualTo("0\n1\n2\n3\n");
    }

    @Test
    void aCommandHasNoPrivilegesAndCannotGainAny() {
        String status = stdout(request("cat", "/proc/self/status"));
        assertThat(status)
                .contains("CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000")
                .contains("CapAmb:\t0000000000000000", "NoNewPrivs:\t1")
                .contains("SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000")
                .contains("Uid:\t%1$d\t%1$d\t%1$d\t%1$d\n".formatted(SupervisorProcess.UID));
    }

    @Test
    void aCommandOfRootsSupervisorHasNoGroupsAndAnEmptyBoundingSet() throws Exception {
        assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "others cannot give them up");
        assertThat(stdout(request("cat", "/proc/self/status")))
                .contains("CapBnd:\t0000000000000000")
                .containsPattern("Groups:\t *\n")
                .contains("Gid:\t%1$d\t%1$d\t%1$d\t%1$d\n".formatted(SupervisorProcess.UID));
    }

    @Test
    void aStdinOfSecretsIsInNoArgumentList() {
        ExecRequest.Builder request = request("sh", "-c", "cat /proc/*/cmdline 2>/dev/null | tr '\\0' ' '")
                .setStdin(ByteString.copyFromUtf8("pass" + "word-on-stdin"));
        assertThat(stdout(request)).doesNotContain("password-on-stdin");
    }

    @Test
    void aCommandThatTakesTooLongIsKilled() throws Exception {
        assertRefused(
                Status.Code.DEADLINE_EXCEEDED,
                request("sh", "-c", "sleep 3601 & sleep 3602").setTimeoutSeconds(1));
        assertThat(CommandLines.running("sleep 3601", "sleep 3602")).isEmpty();
    }

    @Test
    void aGrandchildThatHoldsTheOutputIsKilledAndItsOutputKept() throws Exception {
        ExecResponse response = exec("sh", "-c", "(echo early; sleep 3603; echo late) & exit 3");
        assertThat(response.getStdout().toStringUtf8()).isEqualTo("early\n");
        assertThat(response.getExitCode()).isEqualTo(3);
        assertThat(CommandLines.running("sleep 3603")).isEmpty();
    }

    @Test
    void aGrandchildThatFinishesInTimeIsWaitedFor() {
        assertThat(exec("sh", "-c", "(sleep 0.3; echo late) & exit 0")
                        .getStdout()
                        .toStringUtf8())
                .isEqualTo("late\n");
    }

    @Test
    void aDaemonThatLetTheOutputGoIsKilled() throws Exception {
        assertThat(exec("sh", "-c", "setsid sleep 3604 </dev/null >/dev/null 2>&1 & exit 0")
                        .getExitCode())
                .isZero();
        assertThat(CommandLines.running("sleep 3604")).isEmpty();
    }

    @Test
    void hundredCommandsAtOnceHaveTheirOwnEnds() throws Exception {
        List<Future<ExecResponse>> responses = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            responses.add(GuestControlGrpc.newFutureStub(connection.channel())
                    .exec(request("sh", "-c", "cat; exit " + i)
                            .setStdin(ByteString.copyFromUtf8("input " + i))
                            .build()));
        }
        for (int i = 0; i < 100; i++) {
            ExecResponse response = responses.get(i).get(60, TimeUnit.SECONDS);
            assertThat(response.getStdout().toStringUtf8()).isEqualTo("input " + i);
            assertThat(response.getExitCode()).isEqualTo(i);
        }
    }

    @Test
    void thousandOrphansLeaveNoZombie() throws Exception {
        ExecResponse response =
                exec("sh", "-c", "i=0; while [ $i -lt 1000 ]; do (true & exec true); i=$((i+1)); done; exit 5");
        assertThat(response.getExitCode()).isEqualTo(5);
        Await.until(
                "no zombie is left",
                () -> ProcFs.processes().stream().noneMatch(process -> process.parent() == supervisor.pid()));
    }

    @Test
    void thousandsOfQuickCommandsHaveTheirOwnStatus() throws Exception {
        List<Future<ExecResponse>> window = new ArrayList<>();
        for (int i = 0; i < QUICK_COMMANDS; i++) {
            String[] command = i % 2 == 0 ? new String[] {"true"} : new String[] {"false"};
            window.add(GuestControlGrpc.newFutureStub(connection.channel())
                    .exec(request(command).build()));
            if (window.size() == 32) {
                checkAlternating(window);
            }
        }
        checkAlternating(window);
    }

    private static void checkAlternating(List<Future<ExecResponse>> window) throws Exception {
        for (int i = 0; i < window.size(); i++) {
            assertThat(window.get(i).get(60, TimeUnit.SECONDS).getExitCode()).isEqualTo(i % 2);
        }
        window.clear();
    }
}
