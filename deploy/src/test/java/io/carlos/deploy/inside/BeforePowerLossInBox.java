package io.carlos.deploy.inside;

import java.io.IOException;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is under way when the box loses its power. */
@InsideBox
@Tag(Boot.BETWEEN)
@Order(2)
class BeforePowerLossInBox {
    @Test
    void aCommandExecutesBesideAnInstanceThatRuns() throws IOException {
        RealAgent.beyondThisBoot();

        MidRun.begin(AfterPowerLossInBox.HOST);
    }
}
