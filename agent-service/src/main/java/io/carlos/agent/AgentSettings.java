package io.carlos.agent;

import io.carlos.agent.runs.RunsSettings;
import java.time.Duration;

/**
 * How an agent behaves.
 *
 * @param passInterval how often it goes over all records, whether or not anything has moved
 * @param lookInterval how often it looks at the region's change marker
 * @param stopBound how long its executing runs have to end when it stops
 */
public record AgentSettings(Duration passInterval, Duration lookInterval, Duration stopBound, RunsSettings runs) {
    public static final AgentSettings DEFAULTS = new AgentSettings(
            Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ofSeconds(45), RunsSettings.DEFAULTS);
}
