package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.ControlClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who is answered by the control service, also when the connection is what starts it. */
@InsideBox
class ControlPeersInBox {
    private static final String EDGE = "carlos-edge.service";
    private static final ControlClient AGENT = ControlClient.OF_THE_AGENT;

    /** Writes how many bytes it got for a request, whenever and however the connection ended. */
    private static final String COUNT_BYTES = """
            $SIG{PIPE} = "IGNORE";
            my $s = IO::Socket::UNIX->new(Peer => "/run/carlos-control/control.sock") or die "connect: $!";
            syswrite($s, "GET /ready HTTP/1.1\\r\\nHost: carlos\\r\\nConnection: close\\r\\n\\r\\n");
            my ($all, $part) = ("", "");
            $all .= $part while sysread($s, $part, 4096);
            print length($all);
            """;

    private static ReadyBox box;

    @BeforeAll
    static void waitUntilReady() throws IOException {
        box = new ReadyBox();
    }

    @AfterAll
    static void close() throws IOException {
        if (box != null) {
            box.close();
        }
    }

    @Test
    void theAgentIsAnswered() {
        assertThat(AGENT.get("/ready").status()).isEqualTo(204);
    }

    @Test
    void rootGetsNoByte() {
        assertThat(countBytes("root")).isEqualTo("0");
    }

    @Test
    void anotherProcessOfTheAgentsUserGetsNoByte() {
        assertThat(countBytes("carlos")).isEqualTo("0");
    }

    /** Systemd's word on who the agent is may be a second old, and the number another's by then. */
    @Test
    void whoGetsTheNumberOfAnAgentThatHasEndedGetsNoByte() {
        if (Command.of("mountpoint", "--quiet", "/proc/sys").run().status() == 0) {
            // In a container, which may not write there.
            Command.of("mount", "-o", "remount,bind,rw", "/proc/sys").output();
        }
        assertThat(AGENT.get("/ready").status()).isEqualTo(204);
        String agent = mainPid();
        Command.systemctl("kill", "--kill-whom=main", "--signal=SIGKILL", EDGE).output();

        String[] counted = {""};
        Await.until("a process with the number " + agent, () -> {
            letTheNextProcessHave(Long.parseLong(agent));
            counted[0] = perlAs("carlos", "exit 0 if $$ != " + agent + ";\n" + COUNT_BYTES);
            return !counted[0].isEmpty();
        });

        assertThat(counted[0]).isEqualTo("0");
        Await.until(
                "another agent", () -> !mainPid().equals(agent) && !mainPid().equals("0"));
        awaitReady();
    }

    @Test
    void whoStartsTheServiceByAConnectionThatIsRefusedGetsNoByte() {
        stopTheService();

        assertThat(countBytes("carlos")).isEqualTo("0");

        // It refuses before it has told systemd that it is there.
        Await.until(
                "the service that was started",
                () -> Command.systemctl("is-active", ReadyBox.CONTROL_SERVICE)
                                .run()
                                .status()
                        == 0);
        awaitReady();
    }

    @Test
    void theFirstRequestWaitsForTheServiceThatItStarts() {
        stopTheService();

        long start = System.nanoTime();
        Answer answer = AGENT.get("/ready");

        Duration took = Duration.ofNanos(System.nanoTime() - start);
        String cpu = Command.systemctl("show", "--property=CPUUsageNSec", "--value", ReadyBox.CONTROL_SERVICE)
                .output();
        System.out.println("measured: first answer of a service that it starts: " + took.toMillis() + " ms, CPU "
                + (cpu.matches("[0-9]+") ? Duration.ofNanos(Long.parseLong(cpu)).toMillis() + " ms" : cpu));
        // It says itself that it has not probed yet.
        assertThat(answer.status()).as(answer.text()).isIn(204, 503);
        awaitReady();
    }

    private static String mainPid() {
        return Command.systemctl("show", "--property=MainPID", "--value", EDGE).output();
    }

    private static void letTheNextProcessHave(long number) {
        try {
            Files.writeString(Path.of("/proc/sys/kernel/ns_last_pid"), Long.toString(number - 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitReady() {
        Await.until("a box that is ready", () -> AGENT.get("/ready").status() == 204);
    }

    private static void stopTheService() {
        Command.systemctl("stop", ReadyBox.CONTROL_SERVICE).output();
    }

    private static String countBytes(String user) {
        return perlAs(user, COUNT_BYTES);
    }

    private static String perlAs(String user, String script) {
        return Command.of(
                        "setpriv",
                        "--reuid=" + user,
                        "--regid=" + user,
                        "--clear-groups",
                        "perl",
                        "-MIO::Socket::UNIX",
                        "-e",
                        script)
                .output();
    }
}
