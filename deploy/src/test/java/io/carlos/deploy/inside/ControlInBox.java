package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.ControlClient.Answer;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The control service, as its socket starts it, and the real systemd. */
@InsideBox
class ControlInBox {
    private static final ControlClient AGENT = ControlClient.OF_THE_AGENT;
    private static final long TIER = MemoryTier.MIB_512.maxBytes();

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
    void anInstanceIsStartedInItsSliceAndStopped() {
        Tenant tenant = new Tenant("control.example.com").with(Role.RUN, Tenant.SLOW_TO_END);
        tenant.deleteFile("ready");

        Answer started = AGENT.post("/start?role=run&host=" + tenant + "&memory_max=" + TIER);

        assertThat(started.status()).as(started.text()).isEqualTo(200);
        InvocationId invocation = tenant.invocation(Role.RUN);
        assertThat(started.text()).contains(invocation.value());
        assertThat(Command.systemctl(
                                "show",
                                "--property=MemoryMax",
                                "--value",
                                tenant.unit(Role.RUN).slice().value())
                        .output())
                .isEqualTo(Long.toString(TIER));
        tenant.awaitFile("ready");

        Answer stopped = AGENT.post("/stop?role=run&host=" + tenant);

        assertThat(stopped.status()).as(stopped.text()).isEqualTo(204);
        assertThat(tenant.isPopulated(Role.RUN)).isFalse();
        assertThat(tenant.status(Role.RUN, invocation).orElseThrow().status()).isEqualTo(42);
        assertThat(AGENT.post("/reset?role=run&host=" + tenant).status()).isEqualTo(204);
    }

    @Test
    void aCommandsStatusIsKeptUntilItIsStopped() {
        Tenant tenant = new Tenant("control.example.com").with(Role.CMD, "exit 7\n");

        Answer started = AGENT.post("/cmd?host=" + tenant + "&memory_max=" + TIER);

        assertThat(started.status()).as(started.text()).isEqualTo(200);
        InvocationId invocation = tenant.invocation(Role.CMD);
        assertThat(AGENT.awaitDone(tenant, invocation).text()).contains("\"status\":7");
        assertThat(AGENT.post("/cmd?host=" + tenant + "&memory_max=" + TIER).status())
                .as("while it is loaded")
                .isEqualTo(409);
        assertThat(AGENT.post("/stop?role=cmd&host=" + tenant).status()).isEqualTo(204);
        assertThat(AGENT.post("/reset?role=cmd&host=" + tenant).status()).isEqualTo(204);
        assertThat(AGENT.get("/cmd?host=" + tenant + "&wait=0&invocation=" + invocation)
                        .text())
                .contains("\"state\":\"gone\"");
    }

    @Test
    void aSeedIsWaitedForAlsoWhenItFails() {
        Tenant good = new Tenant("seed.example.com").with(Role.SEED, "sleep 0.2; touch \"$DATA/seeded\"\n");
        Tenant bad = new Tenant("bad-seed.example.com").with(Role.SEED, "exit 3\n");

        Answer seeded = AGENT.post("/seed?host=" + good + "&memory_max=" + TIER);
        Answer failed = AGENT.post("/seed?host=" + bad + "&memory_max=" + TIER);

        assertThat(seeded.status()).as(seeded.text()).isEqualTo(200);
        assertThat(good.data().resolve("seeded")).exists();
        assertThat(failed.status()).as(failed.text()).isEqualTo(200);
        assertThat(failed.text()).contains("\"status\":3");
        assertThat(AGENT.post("/reset?role=seed&host=" + bad).status()).isEqualTo(204);
    }

    @Test
    void aSweepEndsWhateverRuns() {
        Tenant one = new Tenant("sweep-1.example.com").with(Role.RUN, Tenant.SLOW_TO_END);
        Tenant other = new Tenant("sweep-2.example.com").with(Role.SIDECAR, Tenant.SLOW_TO_END);
        one.start(Role.RUN);
        other.start(Role.SIDECAR);
        one.awaitFile("ready");
        other.awaitFile("ready");

        Answer swept = AGENT.post("/sweep");

        assertThat(swept.status()).as(swept.text()).isEqualTo(200);
        assertThat(one.isPopulated(Role.RUN) || other.isPopulated(Role.SIDECAR)).isFalse();
        one.forget(Role.RUN);
        other.forget(Role.SIDECAR);
    }
}
