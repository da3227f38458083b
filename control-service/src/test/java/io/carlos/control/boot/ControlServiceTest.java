package io.carlos.control.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.testing.Await;
import io.carlos.control.testing.FileBox;
import io.carlos.control.testing.RawClient;
import io.carlos.control.testing.StandInSystemctl;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.ControlApi;
import io.carlos.model.control.Problem;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.linux.BootClock;
import io.carlos.model.linux.RootLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Profiles;

/** The whole service in this process, with a program in the place of systemctl. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControlServiceTest {
    private static final ProbeReport REPORT = new ProbeReport(List.of(
            new ProbeLine("pid1", ProbeLine.Verdict.OK, "alone"),
            new ProbeLine("imds-v6", ProbeLine.Verdict.UNVERIFIED, "no route")));
    private static final String HOST = "host=a.example.com";

    private StandInSystemctl systemctl;
    private ConfigurableApplicationContext service;
    private BoxPaths paths;
    private Path root;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        RootLane.require("own the file that no tenant may read");
        root = directory;
        paths = BoxPaths.under(directory);
        Files.createDirectories(paths.control());
        FileBox.mountCgroups(directory);
        Files.createDirectories(paths.configuration());
        Files.writeString(paths.probeSecret(), "probe");
        Files.setPosixFilePermissions(paths.probeSecret(), PosixFilePermissions.fromString("rw-r-----"));
        systemctl = StandInSystemctl.in(directory, REPORT.toJson(), paths.probeReport());
        service = ControlService.application().run(arguments());
        Await.until("ready", () -> ask("GET /ready").status() == 204);
    }

    private String[] arguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--carlos.control.root=" + root,
                "--carlos.control.systemctl=" + systemctl.program(),
                "--carlos.control.cgroup-root=" + root,
                "--carlos.control.peer.user=" + System.getProperty("user.name")));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    @AfterAll
    void stop() {
        if (service != null) {
            service.close();
            assertThat(paths.controlSocket()).doesNotExist();
            assertThat(paths.controlHealthSocket()).doesNotExist();
        }
    }

    private RawClient.Answer ask(String request) throws IOException {
        try (RawClient client = RawClient.connect(paths.controlSocket())) {
            return client.request(request).answer();
        }
    }

    private RawClient.Answer askHealth(String request) throws IOException {
        try (RawClient client = RawClient.connect(paths.controlHealthSocket())) {
            return client.request(request).answer();
        }
    }

    @Test
    void theProfileOfProductionIsTheDefault() {
        assertThat(service.getEnvironment().acceptsProfiles(Profiles.of("systemd")))
                .isTrue();
    }

    @Test
    void verbsAnswer() throws Exception {
        assertThat(ask("POST /reset?" + HOST + "&role=cmd").status()).isEqualTo(204);
        assertThat(ask("POST /stop?" + HOST + "&role=seed").status()).isEqualTo(204);
        assertThat(ask("POST /sweep").body()).isEqualTo("{\"units\":[]}");
        assertThat(ask("GET /cmd?" + HOST + "&wait=0&invocation=0123456789abcdef0123456789abcdef")
                        .body())
                .startsWith("{\"state\":\"gone\"");
    }

    @Test
    void whatSystemdRefusesIsABadGateway() throws Exception {
        RawClient.Answer answer = ask("POST /start?" + HOST + "&role=run&memory_max=536870912");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.header("content-type")).contains("application/problem+json");
    }

    private RawClient.Answer askWithDeadline(String request, String deadline) throws IOException {
        try (RawClient client = RawClient.connect(paths.controlSocket())) {
            return client.send(
                            request + " HTTP/1.1\r\nHost: x\r\n" + ControlApi.DEADLINE + ": " + deadline + "\r\n\r\n")
                    .answer();
        }
    }

    @Test
    void aStartIsBeforeItsDeadlineOrRefused() throws Exception {
        String start = "POST /cmd?" + HOST + "&memory_max=536870912";
        long now = BootClock.nanos();

        RawClient.Answer late = askWithDeadline(start, Long.toString(now));
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.body()).contains(Problem.EXPIRED);
        long later = now + Duration.ofHours(1).toNanos();
        assertThat(askWithDeadline(start, Long.toString(later)).body()).doesNotContain(Problem.EXPIRED);
        assertThat(askWithDeadline(start, "soon").status()).isEqualTo(400);
    }

    @Test
    void badInputIsAProblem() throws Exception {
        assertThat(ask("POST /start?" + HOST + "&role=seed&memory_max=536870912")
                        .status())
                .isEqualTo(400);
        assertThat(ask("POST /reset?" + HOST).body()).contains("\\\"role\\\": it is missing");
        assertThat(ask("GET /start").status()).isEqualTo(405);
        assertThat(ask("GET /actuator").status()).isEqualTo(404);
        assertThat(ask("GET /actuator/env").header("content-type")).contains("application/problem+json");
    }

    @Test
    void aProcessThatIsNotTheMainOneIsRefusedUnread() throws Exception {
        systemctl.mainProcessIs(1);
        try {
            Await.until("the remembered answer is too old", () -> refused());
            // Linux resets a connection that is closed with unread bytes.
            RawClient.End end;
            try (RawClient client = RawClient.connect(paths.controlSocket())) {
                client.request("POST /sweep");
                end = client.end();
            } catch (IOException closedBeforeItWasSent) {
                end = new RawClient.End(0, true);
            }
            assertThat(end).isEqualTo(new RawClient.End(0, true));
        } finally {
            systemctl.mainProcessIs(ProcessHandle.current().pid());
            Await.until("admitted again", () -> !refused());
        }
    }

    private boolean refused() {
        try {
            return ask("GET /ready").status() != 204;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void healthTellsTheProbesLines() throws Exception {
        RawClient.Answer answer = askHealth("GET /actuator/health/readiness");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("imds-v6", "unverified: no route", "pid1");
        assertThat(askHealth("GET /actuator/health/liveness").status()).isEqualTo(200);
        assertThat(askHealth("GET /actuator/health").status()).isEqualTo(200);
        assertThat(askHealth("GET /actuator/info").status()).isEqualTo(200);
    }

    @Test
    void theHealthSocketServesNothingElse() throws Exception {
        for (String request : List.of(
                "GET /ready",
                "POST /sweep",
                "POST /stop?" + HOST + "&role=run",
                "GET /actuator",
                "GET /actuator/",
                "GET /actuator/env",
                "GET /actuator/health/../../ready",
                "GET /actuator/health/readiness/probe",
                "GET /actuator/health%2f..%2f..%2fready")) {
            assertThat(askHealth(request).status()).as(request).isEqualTo(404);
        }
        assertThat(askHealth("POST /actuator/health").status()).isEqualTo(405);
    }

    @Test
    void metricsCountVerbsRefusalsAndProbes() throws Exception {
        ask("POST /reset?" + HOST + "&role=run");

        assertThat(askHealth("GET /actuator/prometheus").body())
                .contains("carlos_control_verb_seconds_count{outcome=\"ok\",verb=\"reset\"}")
                .contains("carlos_control_peer_refused_total{reason=\"other_process\"}")
                .contains("carlos_control_probe_total{verdict=\"ready\"}")
                .contains("carlos_control_probe_lines_total{verdict=\"unverified\"}")
                .contains("carlos_control_ready 1.0");
        assertThat(ask("GET /actuator/prometheus").status()).isEqualTo(200);
    }

    @Test
    void bothSocketsAreTheirOwnersAlone() throws Exception {
        for (Path socket : List.of(paths.controlSocket(), paths.controlHealthSocket())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void onlyTheDevelopmentProfileDoesWithoutAUnit() {
        assertThatThrownBy(() -> ControlService.application()
                        .run(arguments("--carlos.control.peer.unit=", "--spring.main.register-shutdown-hook=false")))
                .hasStackTraceContaining("only the profile dev does without");
    }
}
