package io.carlos.control.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.control.testing.Activator;
import io.carlos.control.testing.Await;
import io.carlos.control.testing.FileBox;
import io.carlos.control.testing.RawClient;
import io.carlos.control.testing.StandInSystemctl;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.linux.RootLane;
import java.io.BufferedReader;
import java.io.File;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The service as a process of its own, started as systemd starts it. */
@Timeout(120)
class ControlProcessTest {
    private static final String RECEIVER = "$| = 1; socket(S, PF_UNIX, SOCK_DGRAM, 0);"
            + "bind(S, pack_sockaddr_un($ARGV[0])) or die $!; print qq(listening\\n);"
            + "while (defined recv(S, my $message, 4096, 0)) { print qq($message\\n) }";

    @TempDir
    private Path directory;

    private BoxPaths paths;
    private StandInSystemctl systemctl;

    @BeforeEach
    void prepare() throws Exception {
        paths = BoxPaths.under(directory);
        Files.createDirectories(paths.control());
        FileBox.mountCgroups(directory);
        systemctl =
                StandInSystemctl.in(directory, ProbeReport.notReady("planned").toJson(), paths.probeReport());
    }

    private Path log() {
        return directory.resolve("log");
    }

    private List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                ControlService.class.getName(),
                "--carlos.control.root=" + directory,
                "--carlos.control.systemctl=" + systemctl.program(),
                "--carlos.control.cgroup-root=" + directory,
                "--carlos.control.peer.user=" + System.getProperty("user.name"));
    }

    private Process start(Map<String, String> environment, String... before) throws Exception {
        List<String> command = new ArrayList<>(List.of(before));
        command.addAll(java());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true).redirectOutput(log().toFile());
        builder.redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private Process activated(int sockets, Map<String, String> environment) throws Exception {
        List<String> activator = Activator.command(paths.controlSocket(), sockets);
        return start(environment, activator.toArray(String[]::new));
    }

    @Test
    void anActivatedServiceAnswersTheQueuedRequestAndTellsSystemdOfItsLife() throws Exception {
        RootLane.require("run the control service");
        Path notify = directory.resolve("notify");
        Process receiver = new ProcessBuilder("perl", "-MSocket", "-e", RECEIVER, notify.toString()).start();
        try (BufferedReader messages = receiver.inputReader()) {
            assertThat(messages.readLine()).isEqualTo("listening");
            Process service = activated(1, Map.of("NOTIFY_SOCKET", notify.toString(), "WATCHDOG_USEC", "60000000"));
            try {
                Await.until("the socket is there", () -> Files.exists(paths.controlSocket()));
                try (RawClient client = connected()) {
                    assertThat(client.request("GET /ready").answer().status()).isEqualTo(503);
                    RawClient.Answer start = client.request(
                                    "POST /start?host=a.example.com&role=run&memory_max=536870912")
                            .answer();
                    assertThat(start.status()).isEqualTo(503);
                    assertThat(start.body()).contains("\"lines\"");
                }
                assertThat(messages.readLine()).isEqualTo("READY=1");
                assertThat(messages.readLine()).isEqualTo("WATCHDOG=1");
                service.destroy();
                assertThat(messages.readLine()).isEqualTo("STOPPING=1");
                assertThat(service.waitFor()).isEqualTo(143);
            } finally {
                service.destroyForcibly();
            }
        } finally {
            receiver.destroyForcibly();
        }
        assertThat(log()).content().contains("adopted as descriptor 3");
        assertThat(paths.controlSocket()).as("systemd's socket").exists();
        assertThat(paths.controlHealthSocket()).doesNotExist();
    }

    /** The file is there a moment before its socket listens. */
    private RawClient connected() throws Exception {
        List<RawClient> connected = new ArrayList<>();
        Await.until("it listens", () -> {
            try {
                return connected.add(RawClient.connect(paths.controlSocket()));
            } catch (SocketException e) {
                return false;
            }
        });
        return connected.get(0);
    }

    @Test
    void moreSocketsThanOneAreRefusedSayingTheCount() throws Exception {
        RootLane.require("run the control service");
        Process service = activated(2, Map.of());

        assertThat(service.waitFor()).isEqualTo(78);
        assertThat(log()).content().contains("expected 1 socket, got 2");
    }

    @Test
    void anybodyButRootIsToldWhatThisIs() throws Exception {
        RootLane.require("become another user");
        Process service = start(Map.of(), "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

        assertThat(service.waitFor()).isEqualTo(77);
        assertThat(log()).content().startsWith("carlos control service: it starts and stops units");
    }
}
