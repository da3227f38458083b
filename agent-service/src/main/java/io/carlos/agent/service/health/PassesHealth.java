package io.carlos.agent.service.health;

import io.carlos.agent.PassJournal;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether whoever makes the passes is still at it; down means that only a new start helps. */
public record PassesHealth(PassJournal journal) implements HealthIndicator {
    @Override
    public Health health() {
        Health.Builder health = journal.isStuck() ? Health.down() : Health.up();
        return health.withDetail("seconds_since_sign", journal.silence().toSeconds())
                .build();
    }
}
