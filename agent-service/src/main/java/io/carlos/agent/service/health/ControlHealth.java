package io.carlos.agent.service.health;

import io.carlos.agent.control.ControlException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Whether the control service answers. */
public final class ControlHealth extends AbstractHealthIndicator {
    private final SharedProbe probe;

    public ControlHealth(SharedProbe probe) {
        super("control service: not asked");
        this.probe = probe;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) throws InterruptedException {
        try {
            probe.report();
            health.up();
        } catch (ControlException e) {
            health.outOfService()
                    .withDetail("failure", e.getMessage() + "; see systemctl status carlos-instance-control.service");
        }
    }
}
