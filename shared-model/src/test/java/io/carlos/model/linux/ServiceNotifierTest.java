package io.carlos.model.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ServiceNotifierTest {
    private static final long OWN = 77;

    /** Java has no datagrams over unix sockets: prints a line when it listens, and then each message. */
    private static final String RECEIVER = "$| = 1; my $name = $ARGV[0]; $name =~ s/^@/\\0/;"
            + "socket(S, PF_UNIX, SOCK_DGRAM, 0); bind(S, pack_sockaddr_un($name)) or die $!; print qq(listening\\n);"
            + "while (defined recv(S, my $message, 4096, 0)) { print qq($message\\n) }";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyMessageArrives(boolean isAbstract) throws IOException {
        String address = (isAbstract ? "@" : "") + directory.resolve("notify");
        Process receiver = new ProcessBuilder("perl", "-MSocket", "-e", RECEIVER, address)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader received = receiver.inputReader()) {
            assertThat(received.readLine()).isEqualTo("listening");
            ServiceNotifier notifier = ServiceNotifier.of(Map.of("NOTIFY_SOCKET", address), OWN);
            notifier.ready();
            notifier.alive();
            notifier.stopping();

            assertThat(received.readLine()).isEqualTo("READY=1");
            assertThat(received.readLine()).isEqualTo("WATCHDOG=1");
            assertThat(received.readLine()).isEqualTo("STOPPING=1");
        } finally {
            receiver.destroyForcibly();
        }
    }

    @Test
    void aProcessThatNobodyListensToGoesOn() {
        ServiceNotifier.of(Map.of(), OWN).ready();
        ServiceNotifier.of(Map.of("NOTIFY_SOCKET", directory.resolve("nobody").toString()), OWN)
                .ready();
        ServiceNotifier.of(Map.of("NOTIFY_SOCKET", "vsock:2:1"), OWN).ready();
        ServiceNotifier.of(Map.of("NOTIFY_SOCKET", "/" + "x".repeat(200)), OWN).ready();
    }

    @Test
    void theWatchdogsIntervalIsThisProcesssOwn() {
        Map<String, String> own = Map.of("NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "77");
        assertThat(ServiceNotifier.of(own, OWN).watchdogInterval()).contains(Duration.ofSeconds(30));
        assertThat(ServiceNotifier.of(own, 78).watchdogInterval()).isEmpty();
        assertThat(ServiceNotifier.of(Map.of("NOTIFY_SOCKET", "/n"), OWN).watchdogInterval())
                .isEmpty();
        for (String text : new String[] {"0", "-1", "soon", "", "9223372036854775807"}) {
            assertThat(ServiceNotifier.of(Map.of("NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", text), OWN)
                            .watchdogInterval())
                    .as(text)
                    .isEmpty();
        }
    }
}
