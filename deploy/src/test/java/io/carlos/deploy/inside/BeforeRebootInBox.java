package io.carlos.deploy.inside;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is under way when the box is rebooted. */
@InsideBox
@Tag(Boot.BEFORE_REBOOT)
class BeforeRebootInBox {
    @Test
    void aCommandExecutesBesideAnInstanceThatRuns() throws IOException {
        RealAgent.beyondThisBoot();

        MidRun.begin(AfterRebootInBox.HOST);
    }
}
