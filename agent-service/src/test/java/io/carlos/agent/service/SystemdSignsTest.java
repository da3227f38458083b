package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.ManualClock;
import io.carlos.agent.PassJournal;
import io.carlos.model.linux.ServiceNotifier;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;

/** What systemd hears. */
@Timeout(60)
class SystemdSignsTest {
    /** Java has no datagrams over unix sockets: prints a line when it listens, and then each message. */
    private static final String RECEIVER = "$| = 1; socket(S, PF_UNIX, SOCK_DGRAM, 0);"
            + "bind(S, pack_sockaddr_un($ARGV[0])) or die $!; print qq(listening\\n);"
            + "while (defined recv(S, my $message, 4096, 0)) { print qq($message\\n) }";

    private final ManualClock clock = new ManualClock();
    private final PassJournal journal = new PassJournal(clock);

    @TempDir
    private Path directory;

    private Process receiver;
    private BufferedReader heard;

    @BeforeEach
    void listen() throws IOException {
        receiver = new ProcessBuilder(
                        "perl",
                        "-MSocket",
                        "-e",
                        RECEIVER,
                        directory.resolve("notify").toString())
                .redirectErrorStream(true)
                .start();
        heard = receiver.inputReader();
        assertThat(heard.readLine()).isEqualTo("listening");
    }

    @AfterEach
    void end() {
        receiver.destroyForcibly();
    }

    @Test
    void readyComesFirstThenLifeAndStoppingWhenTheStopBegins() throws IOException {
        SystemdSigns signs = signs(Map.of("WATCHDOG_USEC", "20000"));
        signs.start();
        assertThat(heard.readLine()).isEqualTo("READY=1");
        assertThat(heard.readLine()).isEqualTo("WATCHDOG=1");
        assertThat(heard.readLine()).isEqualTo("WATCHDOG=1");

        signs.onApplicationEvent(new ContextClosedEvent(new StaticApplicationContext()));
        signs.stop();

        String next = heard.readLine();
        while (next.equals("WATCHDOG=1")) {
            next = heard.readLine();
        }
        assertThat(next).isEqualTo("STOPPING=1");
    }

    @Test
    void aDriverThatIsStuckGivesNoSignOfLife() throws IOException {
        SystemdSigns signs = signs(Map.of());
        signs.start();
        clock.pass(PassJournal.STUCK_AFTER);
        signs.signOfLife();

        assertThat(heard.readLine()).isEqualTo("READY=1");

        journal.looking();
        signs.signOfLife();
        assertThat(heard.readLine()).isEqualTo("WATCHDOG=1");
        signs.stop();
    }

    @Test
    void aStartThatTookLongIsNoSilenceOfThePasses() throws IOException {
        SystemdSigns signs = signs(Map.of());
        clock.pass(PassJournal.STUCK_AFTER);
        signs.start();
        signs.signOfLife();
        signs.stop();

        assertThat(heard.readLine()).isEqualTo("READY=1");
        assertThat(heard.readLine()).isEqualTo("WATCHDOG=1");
    }

    private SystemdSigns signs(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("NOTIFY_SOCKET", directory.resolve("notify").toString());
        return new SystemdSigns(ServiceNotifier.of(environment, 77), journal);
    }
}
