package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** What becomes of a run in whose middle the box gets a newer package. */
@InsideBox
@Order(Integer.MAX_VALUE - 2)
class AgentUpgradeInBox {
    private static final String HOST = "upgraded.example.com";

    @AutoClose
    private static RealAgent agent;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Lane.current() == Lane.NSPAWN, "a package takes minutes to make its caches in an emulated machine");
        agent = new RealAgent();
    }

    @Test
    void anUpgradeInterruptsTheRunKeepsTheDataAndStartsTheInstanceAnew() throws IOException {
        MidRun.begin(HOST);
        AgentTenant tenant = AgentTenant.linked(HOST);
        tenant.make("precious");
        String before = RealAgent.mainProcess(RealAgent.EDGE);

        BoxPackage.install(BoxPackage.newer("9.8"));
        RealAgent.awaitReady();

        assertThat(BoxPackage.installedVersion()).isEqualTo("9.8");
        assertThat(RealAgent.mainProcess(RealAgent.EDGE)).isNotEqualTo(before);
        MidRun run = MidRun.find(HOST);
        run.assertInterrupted("the box's agent stopped");
        run.assertExecutedOnce();
        run.assertHostTakesTheNextRun();
        tenant.awaitShown("\"state\":\"running\"");
        assertThat(tenant.get("/")).startsWith(HOST);
        assertThat(tenant.data("precious")).exists();
    }
}
