package io.carlos.agent.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicroVmMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicroVmMetrics metrics = new MicroVmMetrics(registry);

    @Test
    void bootsAreTimedByTheirOutcome() {
        metrics.booted(Duration.ofSeconds(3));
        metrics.booted(Duration.ofSeconds(4));
        metrics.bootFailed(Duration.ofSeconds(30));

        assertThat(boots("ready").count()).isEqualTo(2);
        assertThat(boots("ready").totalTime(TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(boots("failed").count()).isEqualTo(1);
    }

    @Test
    void anOutcomeThatNeverCameIsThereWithNone() {
        assertThat(boots("failed").count()).isZero();
    }

    private Timer boots(String outcome) {
        return registry.get("carlos.microvm.boot").tag("outcome", outcome).timer();
    }
}
