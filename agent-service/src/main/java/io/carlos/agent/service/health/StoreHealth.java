package io.carlos.agent.service.health;

import io.carlos.agent.PassJournal;
import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the store serves: it was proven before the agent started, and a pass over its records was complete lately.
 *
 * @param patience how long there may be no complete pass
 */
public record StoreHealth(PassJournal journal, Duration patience) implements HealthIndicator {
    @Override
    public Health health() {
        PassJournal.Known known = journal.known();
        boolean serves = journal.sinceComplete().compareTo(patience) <= 0;
        Health.Builder health = serves ? Health.up() : Health.outOfService();
        if (known.at() != null) {
            health.withDetail("last_complete_pass", known.at().toString());
        }
        if (known.failure() != null) {
            health.withDetail("failure", known.failure());
        }
        return health.build();
    }
}
