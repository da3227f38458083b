package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.ControlClient.Answer;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How what the control service started ends, each time and side by side. */
@InsideBox
class ControlEndsInBox {
    private static final ControlClient AGENT = ControlClient.OF_THE_AGENT;
    private static final MemoryTier TIER = MemoryTier.MIB_512;
    private static final int HOSTS = Lane.times(10, 3);
    private static final int TIMED_STARTS = Lane.times(20, 5);

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
    void everyStopLetsAnInstanceEnd() throws Exception {
        List<String> endings = Trials.onEach("verb-stop", tenant -> {
            InvocationId invocation = start(tenant.with(Role.RUN, Tenant.SLOW_TO_END));
            assertNoContent(AGENT.post("/stop?role=run&host=" + tenant));
            return Trials.describe(tenant.status(Role.RUN, invocation).orElseThrow());
        });

        assertThat(endings).containsOnly("exited 42").hasSize(Trials.TIMES);
    }

    /** By the trampoline: systemd now and then shows a oneshot as ended with success whose command runs or has failed. */
    @ParameterizedTest
    @CsvSource({"exit 7, exited 7", "exit 42, exited 42", "kill -9 $$, killed 9"})
    void everyCommandsEndIsTold(String script, String ending) throws Exception {
        List<String> endings = Trials.onEach("verb-cmd", tenant -> {
            tenant.with(Role.CMD, script + "\n");
            assertOk(AGENT.post("/cmd?host=" + tenant + "&memory_max=" + TIER.maxBytes()));
            InvocationId invocation = tenant.invocation(Role.CMD);
            AGENT.awaitDone(tenant, invocation);
            StatusFile status = tenant.status(Role.CMD, invocation).orElseThrow();
            assertNoContent(AGENT.post("/stop?role=cmd&host=" + tenant));
            assertNoContent(AGENT.post("/reset?role=cmd&host=" + tenant));
            return Trials.describe(status);
        });

        assertThat(endings).containsOnly(ending).hasSize(Trials.TIMES);
    }

    @Test
    void aProgramThatIgnoresTheSignalIsStoppedAllTheSame() {
        Tenant tenant = new Tenant("deaf.example.com").with(Role.RUN, Tenant.DEAF);
        InvocationId invocation = start(tenant);

        long start = System.nanoTime();
        Answer stopped = AGENT.post("/stop?role=run&host=" + tenant);

        System.out.println("measured: stop of a program that ignores SIGTERM: "
                + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        assertNoContent(stopped);
        assertThat(tenant.isPopulated(Role.RUN)).isFalse();
        assertThat(tenant.status(Role.RUN, invocation).orElseThrow().cause()).isNotEqualTo(StatusFile.Cause.EXITED);
        assertNoContent(AGENT.post("/reset?role=run&host=" + tenant));
    }

    @Test
    void hostsStartAndStopSideBySide() throws InterruptedException, ExecutionException {
        List<Tenant> tenants = Tenant.several(HOSTS, "beside");
        tenants.forEach(tenant -> tenant.with(Role.RUN, Tenant.SLOW_TO_END));

        List<InvocationId> invocations = Trials.sideBySide(tenants, tenant -> start(tenant));
        assertThat(tenants).allMatch(tenant -> tenant.isPopulated(Role.RUN));
        List<Answer> stopped = Trials.sideBySide(tenants, tenant -> AGENT.post("/stop?role=run&host=" + tenant));

        assertThat(stopped).allMatch(answer -> answer.status() == 204);
        assertThat(tenants).noneMatch(tenant -> tenant.isPopulated(Role.RUN));
        assertThat(invocations).doesNotHaveDuplicates().hasSize(HOSTS);
    }

    /** Over a connection that is kept, as the agent's is. */
    @Test
    void aStartIsComparedWithTheSameCallsByHand() throws IOException {
        Tenant tenant = new Tenant("timed.example.com").with(Role.RUN, Tenant.SLOW_TO_END);
        List<Long> byVerb = new ArrayList<>();
        List<Long> byHand = new ArrayList<>();
        try (ControlConnection connection = new ControlConnection(AGENT.socket())) {
            for (int i = 0; i < TIMED_STARTS; i++) {
                byVerb.add(timed(tenant, () -> assertOk(connection.post(startOf(tenant)))));
                byHand.add(timed(tenant, () -> startByHand(tenant)));
            }
        }

        long verb = median(byVerb);
        long hand = median(byHand);
        System.out.printf(
                "measured: /start %d ms, by hand %d ms, ratio %.2f%n",
                verb / 1_000_000, hand / 1_000_000, (double) verb / hand);
        assertThat(tenant.isPopulated(Role.RUN)).isFalse();
    }

    private static String startOf(Tenant tenant) {
        return "/start?role=run&host=" + tenant + "&memory_max=" + TIER.maxBytes();
    }

    /** As somebody would type them. */
    private static void startByHand(Tenant tenant) {
        String unit = tenant.unit(Role.RUN).value();
        Command.of(
                        "sh",
                        "-euc",
                        "systemctl set-property --runtime \"$1\" MemoryMax=$3 MemoryHigh=$4 MemorySwapMax=$3\n"
                                + "systemctl start \"$2\"\n"
                                + "systemctl show -p InvocationID --value \"$2\"",
                        "-",
                        tenant.unit(Role.RUN).slice().value(),
                        unit,
                        Long.toString(TIER.maxBytes()),
                        Long.toString(TIER.highBytes()))
                .output();
    }

    /** A start that can fail. */
    private interface Start {
        void run() throws IOException;
    }

    /** How many nanoseconds the start took; it is stopped again. */
    private static long timed(Tenant tenant, Start start) throws IOException {
        tenant.deleteFile("ready");
        long before = System.nanoTime();
        start.run();
        long took = System.nanoTime() - before;
        tenant.awaitFile("ready");
        tenant.stopInSequence(Role.RUN);
        return took;
    }

    /** Of a script that says when its handler is there. */
    private static InvocationId start(Tenant tenant) {
        tenant.deleteFile("ready");
        assertOk(AGENT.post(startOf(tenant)));
        tenant.awaitFile("ready");
        return tenant.invocation(Role.RUN);
    }

    private static long median(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static void assertOk(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private static void assertNoContent(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(204);
    }
}
