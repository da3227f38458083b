package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.HealthRequest;
import io.carlos.model.guest.v1.HealthResponse;
import io.carlos.model.guest.v1.ProvisionRequest;
import io.carlos.model.guest.v1.SignalRequest;
import io.carlos.model.testing.SupervisorProcess;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The states of a real supervisor, from its start to its end. */
@Timeout(120)
class GuestLifeTest {
    private static final int TERM = 15;

    @TempDir
    private Path directory;

    private SupervisorProcess supervisor;
    private Connection connection;

    @BeforeEach
    void startSupervisor() throws Exception {
        supervisor =
                SupervisorProcess.start(directory, "--carlos.guest.boot-nonce=00ff10", "--carlos.guest.stop-grace=2s");
        connection = new Connection(supervisor.socket());
    }

    @AfterEach
    void stopSupervisor() throws Exception {
        connection.close();
        supervisor.close();
    }

    private static Status.Code code(Runnable call) {
        return Status.fromThrowable(catchThrowable(call::run)).getCode();
    }

    private Status.Code codeOfExec() {
        return code(() -> connection
                .calls()
                .exec(ExecRequest.newBuilder().addCommand("true").build()));
    }

    private Status.Code codeOfProvision(ProvisionRequest.Builder request) {
        return code(() -> connection.calls().provision(request.build()));
    }

    private void askToStop() {
        assertThat(connection
                        .calls()
                        .signal(SignalRequest.newBuilder().setSignal(TERM).build()))
                .isNotNull();
    }

    @Test
    void aReadyGuestAnswersHealthAndRunsNothing() throws Exception {
        HealthResponse health = connection.calls().health(HealthRequest.getDefaultInstance());
        assertThat(health.getBootNonce().toByteArray()).containsExactly(0, 0xff, 0x10);
        assertThat(health.getNetProvisioned()).isTrue();
        assertThat(health.getWorkspaceMounted()).isTrue();
        assertThat(health.getGuestdVersion()).isNotEmpty();
        assertThat(codeOfExec()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(Frames.start(connection, "true").status().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    }

    @Test
    void provisionOpensTheGuestOnceAndOnlyIfItMakesSense() {
        ProvisionRequest.Builder right = ProvisionRequest.newBuilder().setDefaultExecUid(SupervisorProcess.UID);
        assertThat(codeOfProvision(ProvisionRequest.newBuilder())).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(codeOfProvision(right.clone().setDefaultExecUid(-1))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(codeOfProvision(right.clone().setNftScript("flush ruleset"))).isEqualTo(Status.Code.UNIMPLEMENTED);
        assertThat(codeOfProvision(right.clone().putBaseEnv("A=B", ""))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(codeOfExec()).isEqualTo(Status.Code.FAILED_PRECONDITION);

        connection.calls().provision(right.build());
        assertThat(connection
                        .calls()
                        .exec(ExecRequest.newBuilder().addCommand("true").build())
                        .getExitCode())
                .isZero();
        assertThat(codeOfProvision(right)).isEqualTo(Status.Code.FAILED_PRECONDITION);
    }

    @Test
    void theGuestItselfTakesNoSignalButTerm() {
        assertThat(code(() -> connection
                        .calls()
                        .signal(SignalRequest.newBuilder().setSignal(9).build())))
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void aStoppingGuestLetsItsCommandsEndAndTakesNoMore() throws Exception {
        connection.provisioned(SupervisorProcess.UID);
        Frames frames = Frames.start(
                connection,
                "sh",
                "-c",
                "trap 'sleep 0.5; echo tidy; exit 6' TERM; echo set; while :; do sleep 0.05; done");
        frames.awaitOutput();
        askToStop();
        assertThat(codeOfExec()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(frames.stdout().toStringUtf8()).isEqualTo("set\ntidy\n");
        assertThat(frames.last().getExit().getExitCode()).isEqualTo(6);
        assertThat(supervisor.awaitExit()).isZero();
        assertThat(supervisor.socket()).doesNotExist();
    }

    /** Else a command of the tenant's could listen there, and be taken for the supervisor. */
    @Test
    void aStoppingGuestKeepsItsAddressWhileACommandRuns() throws Exception {
        connection.close();
        supervisor.close();
        supervisor = SupervisorProcess.start(directory, "--carlos.guest.stop-grace=60s");
        connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path file = Files.createFile(directory.resolve("asked"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        Frames frames = Frames.start(
                connection, "sh", "-c", "trap 'echo > " + file + "' TERM; echo set; until read line; do :; done");
        frames.awaitOutput();
        askToStop();
        Await.until("the command is asked to end", () -> Files.size(file) > 0);
        try (Connection another = new Connection(supervisor.socket())) {
            Status status = Status.fromThrowable(
                    catchThrowable(() -> another.calls().health(HealthRequest.getDefaultInstance())));
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(status.getDescription()).contains("the guest is stopping");
        }
        frames.send(Frames.stdinFrame("end\n"));
        assertThat(frames.last().getExit().getExitCode()).isZero();
        assertThat(supervisor.awaitExit()).isZero();
    }

    @Test
    void aStoppingGuestKillsWhoeverDoesNotEnd() throws Exception {
        connection.provisioned(SupervisorProcess.UID);
        Frames frames = Frames.start(connection, "sh", "-c", "trap '' TERM; echo set; sleep 3801; sleep 3802");
        frames.awaitOutput();
        long start = System.nanoTime();
        askToStop();
        assertThat(supervisor.awaitExit()).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(CommandLines.running("sleep 3801", "sleep 3802")).isEmpty();
        assertThat(supervisor.log()).contains("killed 1 commands");
    }

    @Test
    void aSupervisorThatIsKilledBreaksOffItsCalls() throws Exception {
        connection.provisioned(SupervisorProcess.UID);
        Frames frames = Frames.start(connection, "cat");
        assertThat(frames.execId()).isNotEmpty();
        supervisor.kill();
        assertThat(frames.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }
}
