package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.Carlos.Ended;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an operator asks of a whole box. */
@InsideBox
class AgentBoxInBox {
    @AutoClose
    private static RealAgent agent;

    @BeforeAll
    static void start() throws IOException {
        agent = new RealAgent();
    }

    @Test
    void aBoxThatDrainsPicksNothingUntilItIsResumed() {
        AgentTenant tenant = AgentTenant.withProgram("drained.example.com");
        assertThat(Carlos.run("box", "drain", "--output", "json").text()).contains("\"draining\":true");
        Carlos run = Carlos.start(tenant.command("mark"));
        Await.until("a queued run", () -> tenant.shown().contains("\"state\":\"queued\""));
        assertThat(Carlos.run("box", "status").text()).contains("it drains");

        assertThat(Carlos.run("box", "resume", "--output", "json").text()).contains("\"draining\":false");

        assertThat(run.await().text()).isEqualTo("marked by drained.example.com");
        assertThat(tenant.read("marks").lines()).hasSize(1);
    }

    @Test
    void aSweepStopsWhatRuns() {
        AgentTenant tenant = AgentTenant.withProgram("swept.example.com");
        tenant.awaitShown("\"state\":\"running\"");

        assertThat(Carlos.run("box", "sweep").text()).contains("carlos-instance@swept.example.com.service");

        assertThat(tenant.isPopulated(Role.RUN)).isFalse();
    }

    @Test
    void nothingStartsOnABoxThatIsNotProven() {
        AgentTenant tenant = AgentTenant.withProgram("unproven.example.com");
        tenant.awaitShown("\"state\":\"running\"");
        try (DropIn _ = new DropIn("carlos-instance-probe.service", "NoNewPrivileges=no\nRestrictNamespaces=no\n")) {
            Command.systemctl("restart", ReadyBox.CONTROL_SERVICE).output();
            Await.until("a verdict", () -> Carlos.run("box", "probe").out().contains("fail"));

            assertThat(Carlos.run("box", "probe").status()).isEqualTo(1);
            Ended run = tenant.run("exit", "0");
            assertThat(run.status()).isEqualTo(76);
            assertThat(run.err()).contains("not");
            Ended restarted = Carlos.run("instances", "restart", "unproven.example.com");
            assertThat(restarted.status()).isNotZero();
            assertThat(restarted.err()).contains("ready");
        }
        Command.systemctl("restart", ReadyBox.CONTROL_SERVICE).output();
        RealAgent.awaitReady();
        tenant.awaitShown("\"state\":\"running\"");
    }

    @Test
    void noAgentIsSaidInOneSentence() {
        Command.systemctl("stop", RealAgent.EDGE).output();
        try {
            Ended ended = Carlos.run("box", "status");

            assertThat(ended.status()).isEqualTo(69);
            assertThat(ended.err()).contains("systemctl status carlos-edge");
        } finally {
            Command.systemctl("start", RealAgent.EDGE).output();
            RealAgent.awaitReady();
        }
    }

    @Test
    void healthAndMetricsAreOnTheSocketOfTheAgent() throws IOException {
        ControlClient actuator = new ControlClient(java.nio.file.Path.of("/run/carlos/agent/agent.sock"));

        assertThat(actuator.get("/actuator/health/readiness").text()).contains("\"status\":\"UP\"");
        assertThat(List.of(actuator.get("/actuator/prometheus").text()))
                .allMatch(text -> text.contains("carlos_runs_executing"));
    }
}
