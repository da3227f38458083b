package io.carlos.agent.service.health;

import io.carlos.agent.instance.HeldBack;
import io.carlos.model.names.Host;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether instances may be started, as far as sweeps are concerned. A host of which something does not stop is its own problem. */
public record SweepHealth(Supplier<HeldBack> heldBack) implements HealthIndicator {
    @Override
    public Health health() {
        HeldBack held = heldBack.get();
        Health.Builder health = Health.up();
        if (held.all()) {
            health.outOfService()
                    .withDetail("failure", "nothing is started until a sweep is answered by the control service");
        }
        if (!held.hosts().isEmpty()) {
            health.withDetail(
                    "held_back", held.hosts().stream().map(Host::value).toList());
        }
        return health.build();
    }
}
