package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.ControlClient.Answer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who is answered by the control service, also when the connection is what starts it. */
@InsideBox
class ControlPeersInBox {
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

    @Test
    void whoStartsTheServiceByAConnectionThatIsRefusedGetsNoByte() {
        stopTheService();

        assertThat(countBytes("carlos")).isEqualTo("0");

        assertThat(Command.systemctl("is-active", ReadyBox.CONTROL_SERVICE).output())
                .isEqualTo("active");
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

    private static void awaitReady() {
        Await.until("a box that is ready", () -> AGENT.get("/ready").status() == 204);
    }

    private static void stopTheService() {
        Command.systemctl("stop", ReadyBox.CONTROL_SERVICE).output();
    }

    private static String countBytes(String user) {
        return Command.of(
                        "setpriv",
                        "--reuid=" + user,
                        "--regid=" + user,
                        "--clear-groups",
                        "perl",
                        "-MIO::Socket::UNIX",
                        "-e",
                        COUNT_BYTES)
                .output();
    }
}
