package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.testing.SupervisorProcess;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real supervisor that is not root; when the test is not root either, all the other tests have one. */
@Timeout(120)
class OwnUserTest {
    private static final int OWN = 65_534;
    private static final int OTHER = 1;

    /**
     * It may read what root alone may read, which the class path can be in; so there also is a capability that its
     * commands must not have.
     */
    private static final List<String> AS_OWN = List.of(
            "setpriv",
            "--reuid=" + OWN,
            "--regid=" + OWN,
            "--clear-groups",
            "--inh-caps=-all,+dac_read_search",
            "--ambient-caps=-all,+dac_read_search");

    @TempDir
    private static Path directory;

    private static SupervisorProcess supervisor;
    private static Connection connection;

    @BeforeAll
    static void startSupervisor() throws Exception {
        assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root can be another");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        supervisor = SupervisorProcess.start(AS_OWN, directory);
        connection = new Connection(supervisor.socket()).provisioned(OWN);
    }

    @AfterAll
    static void stopSupervisor() throws Exception {
        if (supervisor != null) {
            connection.close();
            supervisor.close();
        }
    }

    private static String output(String script) {
        ExecRequest request = ExecRequest.newBuilder()
                .addAllCommand(List.of("sh", "-c", script))
                .build();
        return connection.calls().exec(request).getStdout().toStringUtf8();
    }

    @Test
    void commandsRunAsItsOwnUser() {
        assertThat(output("id -u; id -G")).isEqualTo(OWN + "\n" + OWN + "\n");
    }

    @Test
    void commandsHaveNoCapabilityAndGainNone() {
        assertThat(output("grep -E 'Cap(Inh|Prm|Eff|Amb)|NoNewPrivs' /proc/self/status"))
                .isEqualTo("""
                        CapInh:\t0000000000000000
                        CapPrm:\t0000000000000000
                        CapEff:\t0000000000000000
                        CapAmb:\t0000000000000000
                        NoNewPrivs:\t1
                        """);
    }

    @Test
    void anotherUserIsRefusedByName() {
        ExecRequest request =
                ExecRequest.newBuilder().addCommand("true").setUid(OTHER).build();
        Status refusal =
                Status.fromThrowable(catchThrowable(() -> connection.calls().exec(request)));
        assertThat(refusal.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal.getDescription()).contains("uid " + OTHER, "own uid " + OWN);
    }

    @Test
    void aCommandIsKilledWithItsTree() throws Exception {
        Frames frames = Frames.start(connection, "sh", "-c", "setsid sleep 3761 & echo set; sleep 3762");
        frames.awaitOutput();
        Await.until(
                "both run",
                () -> CommandLines.running("sleep 3761", "sleep 3762").size() == 2);
        frames.cancel();
        Await.until(
                "none runs",
                () -> CommandLines.running("sleep 3761", "sleep 3762").isEmpty());
        assertThat(frames.status().getCode()).isEqualTo(Status.Code.CANCELLED);
    }
}
