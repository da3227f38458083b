package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.util.concurrent.ListenableFuture;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.linux.RootLane;
import io.carlos.model.testing.SupervisorProcess;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that end while their command is being started, and its user has stopped it there. */
@Timeout(120)
class GivenUpStartTest {
    private static final ExecRequest TOOL =
            ExecRequest.newBuilder().addCommand("tool").build();

    @TempDir
    private Path directory;

    private SupervisorProcess supervisor;
    private Connection connection;

    @BeforeEach
    void startSupervisor() throws Exception {
        RootLane.require("start commands as another user");
        Path program = Files.writeString(
                directory.resolve("program"), "#!/bin/sh\necho $$ > \"${0%/*}/pid\"\nkill -STOP $$\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        supervisor = SupervisorProcess.start(directory, "--carlos.guest.native-program=" + program);
        connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID);
    }

    @AfterEach
    void stopSupervisor() {
        if (supervisor != null) {
            connection.close();
            supervisor.close();
        }
    }

    private ProcessHandle stopped() throws Exception {
        Path file = directory.resolve("pid");
        Await.until(
                "the start has begun",
                () -> Files.exists(file) && Files.readString(file).endsWith("\n"));
        Optional<ProcessHandle> process =
                ProcessHandle.of(Long.parseLong(Files.readString(file).strip()));
        return process.orElseThrow();
    }

    private static void awaitGone(ProcessHandle process) throws Exception {
        Await.until("the stopped process is gone", () -> !process.isAlive());
    }

    @Test
    void theTimeoutOfACommandCountsFromItsStart() {
        ExecRequest request = TOOL.toBuilder().setTimeoutSeconds(1).build();
        Status status =
                Status.fromThrowable(catchThrowable(() -> connection.calls().exec(request)));
        assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(status.getDescription()).contains("longer than 1 s");
    }

    @Test
    void aCancelledCallGivesItsStartUp() throws Exception {
        ListenableFuture<ExecResponse> call =
                GuestControlGrpc.newFutureStub(connection.channel()).exec(TOOL);
        ProcessHandle stopped = stopped();
        assertThat(call.cancel(true)).isTrue();
        awaitGone(stopped);
        assertThat(supervisor.log()).doesNotContain("ERROR");
    }

    @Test
    void aCancelledStreamGivesItsStartUp() throws Exception {
        Frames frames = Frames.start(connection, "tool");
        ProcessHandle stopped = stopped();
        frames.cancel();
        awaitGone(stopped);
        assertThat(supervisor.log()).doesNotContain("ERROR");
    }
}
