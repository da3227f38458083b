package io.carlos.deploy.inside;

import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a box that was rebooted in the middle of a run makes of that. */
@InsideBox
@Tag(Boot.BETWEEN)
@Order(1)
class AfterRebootInBox {
    static final String HOST = "rebooted.example.com";

    @AutoClose
    private static RealAgent agent;

    private final MidRun run = MidRun.find(HOST);

    @BeforeAll
    static void find() throws IOException {
        agent = RealAgent.ofThisBoot();
    }

    @Test
    void theRunWasInterrupted() {
        run.assertInterrupted("the box's agent stopped");
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
