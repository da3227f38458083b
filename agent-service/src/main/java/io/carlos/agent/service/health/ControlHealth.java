package io.carlos.agent.service.health;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Whether the control service answers. */
public final class ControlHealth extends AbstractHealthIndicator {
    private final ControlChannel channel;

    public ControlHealth(ControlChannel channel) {
        super("control service: not asked");
        this.channel = channel;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) throws InterruptedException {
        try {
            channel.probe();
            health.up();
        } catch (ControlException e) {
            health.outOfService()
                    .withDetail("failure", e.getMessage() + "; see systemctl status carlos-instance-control.service");
        }
    }
}
