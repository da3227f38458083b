package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.deploy.inside.Carlos.Ended;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a run in whose middle a part of the box dies. */
@InsideBox
class AgentCrashInBox {
    @AutoClose
    private static RealAgent agent;

    @BeforeAll
    static void start() throws IOException {
        agent = new RealAgent();
    }

    /** A control service that was killed has to prove the box anew. */
    @BeforeEach
    void awaitReady() {
        RealAgent.awaitReady();
    }

    @Test
    void anAgentThatIsRestartedEndsTheRunAsInterrupted() {
        AgentTenant tenant = AgentTenant.withProgram("restarted.example.com");
        Carlos run = Carlos.start(tenant.command("wait"));
        Await.until("its output", () -> run.hasPrinted());

        RealAgent.restart();

        assertInterrupted(tenant, run);
    }

    @Test
    void anAgentThatIsKilledClosesTheRunOutWithItsNextStart() {
        AgentTenant tenant = AgentTenant.withProgram("killed.example.com");
        Carlos run = Carlos.start(tenant.command("wait"));
        Await.until("its output", () -> run.hasPrinted());
        String before = RealAgent.mainProcess(RealAgent.EDGE);

        RealAgent.crash(RealAgent.EDGE);
        Await.until("another agent", () -> !before.equals(RealAgent.mainProcess(RealAgent.EDGE)));
        RealAgent.awaitReady();

        assertInterrupted(tenant, run);
    }

    @Test
    void aRunGoesOnWhileTheControlServiceIsKilled() {
        AgentTenant tenant = AgentTenant.withProgram("goes-on.example.com");
        Carlos run = Carlos.start(tenant.command("until", "go"));
        tenant.awaitFile("begun");

        RealAgent.crash(ReadyBox.CONTROL_SERVICE);
        tenant.make("go");

        Ended ended = run.await();
        assertThat(ended.status()).as(ended.err()).isEqualTo(4);
        assertThat(ended.out()).isEqualTo("seen\n");
        assertThat(tenant.read("begun").lines()).hasSize(1);
        Await.until("nothing of the run", () -> tenant.leftOfCommands().isEmpty());
    }

    private static void assertInterrupted(AgentTenant tenant, Carlos run) {
        Ended ended = run.await();
        assertThat(ended.status()).as(ended.err()).isEqualTo(76);
        assertThat(ended.err()).contains("the run was interrupted");
        assertThat(ended.out()).startsWith("begun\n");
        assertThat(tenant.read("begun").lines()).hasSize(1);
        // That a unit failed is remembered until the next command of the host; nothing of it runs.
        Await.until(
                "nothing of the run",
                () -> tenant.leftOfCommands().stream().allMatch(left -> left.contains(" loaded failed failed ")));
    }
}
