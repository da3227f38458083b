package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.instance.PlayedBox;
import io.carlos.agent.service.admin.BoxInstances;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.admin.LogLines;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.Problem;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.linux.RootLane;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** A box whose instances are units, which are played, as whoever asks its agent sees it. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnitBoxServiceTest {
    private static final ProbeReport HOLED = new ProbeReport(List.of(
            new ProbeLine("pid1", ProbeLine.Verdict.OK, "1"),
            new ProbeLine("imds-v4", ProbeLine.Verdict.FAIL, "169.254.169.254 answers")));
    private static final String A = "a.example.com";

    /** How often somebody has come to read lines. */
    private static final AtomicInteger READERS = new AtomicInteger();

    private RunningBox box;
    private PlayedBox units;
    private AdminClient client;

    @Configuration(proxyBeanMethods = false)
    static class PlayedUnits {
        @Bean
        PlayedBox playedBox(BoxPaths paths) {
            return new PlayedBox(paths);
        }

        @Bean
        static BeanPostProcessor countedReaders() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof BoxInstances instances ? counted(instances) : bean;
                }
            };
        }

        private static Object counted(BoxInstances instances) {
            return Proxy.newProxyInstance(
                    BoxInstances.class.getClassLoader(), new Class<?>[] {BoxInstances.class}, (proxy, method, args) -> {
                        if (method.getName().equals("logs")) {
                            READERS.incrementAndGet();
                        }
                        try {
                            return method.invoke(instances, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Bean
        @Primary
        ControlChannel playedChannel(PlayedBox box) {
            return box.channel();
        }
    }

    @BeforeAll
    void start(@TempDir Path root) throws Exception {
        RootLane.require("connect to the log sockets as systemd does");
        box = new RunningBox(root, "unit", PlayedUnits.class);
        units = box.bean(PlayedBox.class);
        client = box.client();
        Await.until("the sweep of the boot", () -> units.calls().contains("sweep"));
    }

    @AfterAll
    void stop() {
        if (box != null) {
            box.close();
        }
    }

    @Test
    void theBoxIsSweptBeforeAnythingIsStartedAndAnInstanceThatComesIsStarted() throws Exception {
        running("first.example.com");

        assertThat(units.calls().getFirst()).isEqualTo("sweep");
        assertThat(units.calls()).contains("start run first.example.com");
    }

    @Test
    void anInstanceIsStoppedAndStartedAndRestarted() throws Exception {
        running(A);

        assertThat(client.post("/admin/v1/instances/" + A + "/stop").status()).isEqualTo(204);
        assertThat(state(A)).contains("stopped");
        assertThat(client.post("/admin/v1/instances/" + A + "/start").status()).isEqualTo(204);
        assertThat(state(A)).contains("running");
        assertThat(client.post("/admin/v1/instances/" + A + "/restart").status())
                .isEqualTo(204);
        assertThat(state(A)).contains("running");
        assertThat(client.post("/admin/v1/instances/" + A + "/start?role=sidecar")
                        .status())
                .isEqualTo(204);
        assertThat(units.calls()).contains("start sidecar " + A);
        assertThat(client.post("/admin/v1/instances/" + A + "/stop?role=sidecar")
                        .status())
                .isEqualTo(204);
    }

    @Test
    void aHostThatIsNotOfThisBoxIsNotFoundAndSaysWhatToDo() {
        AdminClient.Answer answer = client.post("/admin/v1/instances/nobody.example.com/start");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.as(Problem.class).detail()).contains("nobody.example.com", "carlos instances list");
        assertThat(client.get("/admin/v1/instances/nobody.example.com/logs").status())
                .isEqualTo(404);
    }

    @Test
    void aStartThatFailsIsAConflictWithItsReason() throws Exception {
        String host = "broken.example.com";
        running(host);
        client.post("/admin/v1/instances/" + host + "/stop");
        units.failNext("start", Outcome.NOTHING_RUNS);

        AdminClient.Answer answer = client.post("/admin/v1/instances/" + host + "/start");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.as(Problem.class).detail()).contains(host + " was not started", "carlos logs " + host);
    }

    @Test
    void linesAreReadAndFollowedByTheirNumbers() throws Exception {
        String host = "logs.example.com";
        running(host);
        units.print("one\ntwo\n");
        String logs = "/admin/v1/instances/" + host + "/logs";
        Await.until(
                "two lines", () -> client.get(logs).as(LogLines.class).lines().size() == 2);

        LogLines second = client.get(logs + "?from=2").as(LogLines.class);
        CompletableFuture<LogLines> third = CompletableFuture.supplyAsync(
                () -> client.get(logs + "?wait=20&from=" + second.next()).as(LogLines.class));
        units.print("three\n");

        assertThat(second.lines()).extracting(LogLines.Line::text).containsExactly("two");
        assertThat(third.get(60, TimeUnit.SECONDS).lines())
                .extracting(LogLines.Line::text)
                .containsExactly("three");
    }

    @Test
    void readersThatWaitKeepNobodyFromBeingAnswered() throws Exception {
        String host = "waiting.example.com";
        running(host);
        List<CompletableFuture<AdminClient.Answer>> waiting = new ArrayList<>();
        int before = READERS.get();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                waiting.add(CompletableFuture.supplyAsync(
                        () -> box.client().get("/admin/v1/instances/" + host + "/logs?wait=25"), readers));
            }
            Await.until("16 readers at the agent", () -> READERS.get() == before + 16);

            assertThat(client.get("/admin/v1/box/status").status()).isEqualTo(200);
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            units.print("over\n");
            for (CompletableFuture<AdminClient.Answer> answer : waiting) {
                assertThat(answer.get(60, TimeUnit.SECONDS).body()).contains("over");
            }
        }
    }

    @Test
    void aProbeThatFailsIsToldAndTakesReadinessAwayNamingItsLine() throws Exception {
        units.probeFinds(HOLED);
        try {
            AdminClient.Answer probe = client.get("/admin/v1/box/probe");
            Await.until( // its report is a second old at most
                    "the box not ready",
                    () -> client.get("/actuator/health/readiness").status() == 503);
            AdminClient.Answer readiness = client.get("/actuator/health/readiness");

            assertThat(ProbeReport.read(probe.body().getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(HOLED);
            assertThat(readiness.status()).isEqualTo(503);
            assertThat(readiness.body()).contains("\"imds-v4\":\"fail: 169.254.169.254 answers\"");
            assertThat(client.get("/actuator/health/liveness").status()).isEqualTo(200);
        } finally {
            units.probeFindsNothing();
        }
        Await.until(
                "the box ready again",
                () -> client.get("/actuator/health/readiness").status() == 200);
    }

    @Test
    void aSweepThatFailsIsABadGateway() {
        units.failNext("sweep", Outcome.MAY_RUN);

        AdminClient.Answer answer = client.post("/admin/v1/box/sweep");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.as(Problem.class).detail()).contains("not all units are stopped");
    }

    @Test
    void aSweepStopsWhatRuns() throws Exception {
        String host = "swept.example.com";
        running(host);

        AdminClient.Answer answer = client.post("/admin/v1/box/sweep");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.as(SweepAnswer.class)).isNotNull();
        Await.until(host + " down", () -> state(host).filter("stopped"::equals).isPresent());
    }

    @Test
    void metricsCountInstancesByState() throws Exception {
        running("counted.example.com");

        assertThat(client.get("/actuator/prometheus").body())
                .containsPattern("carlos_instances\\{state=\"running\"} [1-9]")
                .contains("carlos_instances{state=\"seeding\"} 0.0")
                .contains("carlos_logs_pauses_total 0.0", "carlos_logs_dropped_lines_total");
    }

    private void running(String host) throws InterruptedException {
        box.instance(host);
        Await.until(
                host + " running", () -> state(host).filter("running"::equals).isPresent());
    }

    private Optional<String> state(String host) {
        return client.get("/admin/v1/instances").as(InstanceRows.class).instances().stream()
                .filter(row -> row.host().value().equals(host))
                .map(InstanceRows.Row::state)
                .findFirst();
    }
}
