package io.carlos.agent.service.health;

import io.carlos.agent.fleet.Fleet;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether the box may act on what it owns. */
public record FleetHealth(Fleet fleet) implements HealthIndicator {
    @Override
    public Health health() {
        if (fleet.isRevoked()) {
            return outOfService("the box was taken for lost, or another agent has its name; a new start begins anew");
        }
        return fleet.mayWrite()
                ? Health.up().build()
                : outOfService("no sign of life reached the store lately, so others may take the box for lost");
    }

    private static Health outOfService(String why) {
        return Health.outOfService().withDetail("failure", why).build();
    }
}
