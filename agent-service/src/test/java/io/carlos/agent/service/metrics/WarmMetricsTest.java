package io.carlos.agent.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class WarmMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WarmMetrics metrics = new WarmMetrics(registry);

    @Test
    void takesAreCountedByTheirOutcomeAndWhatNobodyTookIsCountedToo() {
        metrics.hit();
        metrics.hit();
        metrics.miss();
        metrics.discarded();
        metrics.discarded();
        metrics.discarded();

        assertThat(takes("hit")).isEqualTo(2);
        assertThat(takes("miss")).isEqualTo(1);
        assertThat(registry.get("carlos.microvm.warm.discarded").counter().count())
                .isEqualTo(3);
    }

    private double takes(String outcome) {
        return registry.get("carlos.microvm.warm.takes")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void machinesAreTheOnesThatThereAreWhenSomebodyAsks() {
        WarmMetrics.held(() -> 2, () -> 1).bindTo(registry);

        assertThat(machines("ready")).isEqualTo(2);
        assertThat(machines("booting")).isEqualTo(1);
    }

    private double machines(String state) {
        return registry.get("carlos.microvm.warm").tag("state", state).gauge().value();
    }
}
