package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.admin.BoxStatus;
import io.carlos.model.admin.DrainState;
import io.carlos.model.control.Problem;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A box without units, as whoever asks its agent sees it. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BoxServiceTest {
    private RunningBox box;
    private AdminClient client;

    @BeforeAll
    void start(@TempDir Path root) throws Exception {
        box = new RunningBox(root, "process");
        client = box.client();
    }

    @AfterAll
    void stop() {
        if (box != null) {
            box.close();
            assertThat(box.paths().agentSocket()).doesNotExist();
        }
    }

    @Test
    void theSocketAndItsDirectoryAreTheUsersAlone() throws Exception {
        Path socket = box.paths().agentSocket();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void aStatusNamesTheBoxAndItsLastPass() throws Exception {
        Await.until(
                "a pass",
                () -> client.get("/admin/v1/box/status").as(BoxStatus.class).lastPass() != null);

        BoxStatus status = client.get("/admin/v1/box/status").as(BoxStatus.class);

        assertThat(status.box()).isEqualTo("b1");
        assertThat(status.region()).isEqualTo("local");
        assertThat(status.epoch()).isEqualTo(1);
        assertThat(status.mayWrite()).isTrue();
        assertThat(status.passFailure()).isNull();
    }

    @Test
    void aBoxWithoutVirtualMachinesHasNoneAndSaysHowToHaveThem() {
        assertThat(client.get("/admin/v1/vms").body()).isEqualTo("{\"vms\":[]}");
        AdminClient.Answer created = client.post("/admin/v1/vms?name=build");

        assertThat(created.status()).isEqualTo(409);
        assertThat(created.body()).contains("add microvm to carlos.agent.isolations");
    }

    @Test
    void drainAndResumeGoToTheFlowAndAreToldByTheStatus() {
        assertThat(client.post("/admin/v1/box/drain").as(DrainState.class).draining())
                .isTrue();
        assertThat(client.get("/admin/v1/box/status")
                        .as(BoxStatus.class)
                        .drain()
                        .draining())
                .isTrue();
        assertThat(client.post("/admin/v1/box/resume").as(DrainState.class).draining())
                .isFalse();
    }

    @Test
    void aHostThatIsNoneIsABadRequestThatSaysWhy() {
        AdminClient.Answer answer = client.post("/admin/v1/instances/NoHost/start");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.type()).isEqualTo(Problem.MEDIA_TYPE);
        assertThat(answer.as(Problem.class).detail()).contains("not a host: \"NoHost\"");
    }

    @Test
    void aRoleThatIsNotStartedByHandIsABadRequest() {
        assertThat(client.post("/admin/v1/instances/a.example.com/start?role=cmd")
                        .as(Problem.class)
                        .detail())
                .contains("expected run or sidecar");
        assertThat(client.post("/admin/v1/instances/a.example.com/stop?role=none")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void numbersThatAreNoneAreABadRequest() {
        String logs = "/admin/v1/instances/a.example.com/logs";

        assertThat(client.get(logs + "?from=0").status()).isEqualTo(400);
        assertThat(client.get(logs + "?from=x").status()).isEqualTo(400);
        assertThat(client.get(logs + "?wait=26").status()).isEqualTo(400);
        assertThat(client.get(logs + "?role=cmd").as(Problem.class).detail()).contains("carlos runs follow");
    }

    @Test
    void anInstanceOfABoxWithoutUnitsIsAConflictThatNamesTheSetting() {
        AdminClient.Answer answer = client.post("/admin/v1/instances/a.example.com/start");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.as(Problem.class).detail()).contains("a.example.com", "carlos.agent.isolations");
        assertThat(client.get("/admin/v1/box/probe").status()).isEqualTo(409);
    }

    @Test
    void aPathThatIsNoneAndAMethodThatIsNotOfferedAreProblems() {
        AdminClient.Answer none = client.get("/admin/v1/nothing");
        AdminClient.Answer method = client.get("/admin/v1/box/drain");

        assertThat(none.status()).isEqualTo(404);
        assertThat(none.as(Problem.class).detail()).contains("GET /admin/v1/nothing");
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.type()).isEqualTo(Problem.MEDIA_TYPE);
        assertThat(client.get("/actuator/env").status()).isEqualTo(404);
    }

    @Test
    void healthNamesItsChecks() {
        AdminClient.Answer readiness = client.get("/actuator/health/readiness");
        AdminClient.Answer liveness = client.get("/actuator/health/liveness");

        assertThat(readiness.status()).as(readiness.body()).isEqualTo(200);
        assertThat(readiness.body()).contains("\"store\"", "\"fleet\"").doesNotContain("\"control\"");
        assertThat(liveness.status()).isEqualTo(200);
        assertThat(liveness.body()).contains("\"passes\"");
    }

    @Test
    void thePortServesHealthAndMetricsAndNothingElse() throws Exception {
        assertThat(onPort("GET", "/actuator/health/liveness")).isEqualTo(200);
        assertThat(onPort("GET", "/actuator/prometheus")).isEqualTo(200);
        assertThat(onPort("GET", "/admin/v1/box/status")).isEqualTo(404);
        assertThat(onPort("POST", "/admin/v1/box/drain")).isEqualTo(404);
        assertThat(onPort("GET", "/actuator/../admin/v1/box/status")).isEqualTo(404);
        assertThat(onPort("GET", "/actuator/%2e%2e/admin/v1/box/status")).isEqualTo(404);
        assertThat(client.get("/admin/v1/box/status")
                        .as(BoxStatus.class)
                        .drain()
                        .draining())
                .isFalse();
    }

    private int onPort(String method, String path) throws Exception {
        int port = box.bean(ActuatorPort.class).port();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void metricsCountPassesPicksChunksAndBytes() throws Exception {
        box.queue("m.example.com", "sh", "-c", "printf 12345");
        Await.until("the run's end", () -> metrics().contains("carlos_runs_ended_total{outcome=\"finished\"} 1.0"));

        assertThat(metrics())
                .contains("carlos_pass_seconds_count", "carlos_records 1.0", "carlos_runs_executing 0.0")
                .contains("carlos_runs_pickups_total{outcome=\"picked\"} 1.0")
                .contains("carlos_runs_pickup_latency_seconds_bucket{le=\"0.25\"}")
                .contains("carlos_chunk_puts_total 1.0", "carlos_chunk_size_bytes_total 5.0")
                .contains("carlos_chunk_retries_total 0.0")
                .contains("carlos_store_call_seconds_count{operation=\"list\",outcome=\"ok\"}");
    }

    private String metrics() {
        return client.get("/actuator/prometheus").body();
    }
}
