package io.carlos.deploy.inside;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** What a box that lost its power in the middle of a run makes of that. */
@InsideBox
@Order(1)
class AfterPowerLossInBox {
    static final String HOST = "cut-off.example.com";

    @AutoClose
    private static RealAgent agent;

    private final MidRun run = MidRun.find(HOST);

    @BeforeAll
    static void find() throws IOException {
        assumeTrue(Lane.current() == Lane.NSPAWN, "a virtual machine is booted once");
        agent = RealAgent.ofThisBoot();
    }

    @Test
    void theRunWasInterrupted() {
        run.assertInterrupted("the box's agent restarted");
    }

    @Test
    void theRunWasExecutedOnceAndNothingOfItIsLeft() {
        run.assertExecutedOnce();
    }

    @Test
    void theHostTakesTheNextRun() {
        run.assertHostTakesTheNextRun();
    }

    @Test
    void theInstanceWasStartedOnce() {
        run.assertInstanceWasStartedOnce();
    }
}
