package io.carlos.agent.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.reconcile.PassReport;
import io.carlos.model.runs.RunResult;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgentMetricsTest {
    private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AgentMetrics metrics = new AgentMetrics(registry);

    @Test
    void aCompletePassIsTimedAndTellsItsRecords() {
        metrics.passed(new PassReport(7, 3, 2, 1, Duration.ofMillis(40)));
        metrics.failed(new IllegalStateException("no way"));

        assertThat(registry.get("carlos.pass").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(40);
        assertThat(registry.get("carlos.pass.incomplete").counter().count()).isEqualTo(1);
        assertThat(registry.get("carlos.records").gauge().value()).isEqualTo(7);
        assertThat(registry.get("carlos.records.unreadable").gauge().value()).isEqualTo(2);
    }

    @Test
    void picksAreCountedByTheirOutcomeAndTimedFromTheOrder() {
        metrics.picked(Duration.ofSeconds(2));
        metrics.notPicked();

        assertThat(pickups("picked")).isEqualTo(1);
        assertThat(pickups("missed")).isEqualTo(1);
        assertThat(registry.get("carlos.runs.pickup.latency").timer().max(TimeUnit.SECONDS))
                .isEqualTo(2);
    }

    @Test
    void anEndIsCountedByWhatEndedIt() {
        metrics.finished(result(false, false, "", ""));
        metrics.finished(result(true, false, "", ""));
        metrics.finished(result(true, true, "", ""));
        metrics.finished(result(true, false, "the box went away", ""));
        metrics.finished(RunResult.expired(AT));

        for (String outcome : List.of("finished", "cancelled", "timed_out", "interrupted", "refused")) {
            assertThat(registry.get("carlos.runs.ended")
                            .tag("outcome", outcome)
                            .counter()
                            .count())
                    .as(outcome)
                    .isEqualTo(1);
        }
    }

    private static RunResult result(boolean cancelled, boolean timedOut, String interrupted, String refused) {
        return new RunResult(
                RunResult.SCHEMA, 0, "", AT, AT, 0, false, cancelled, timedOut, interrupted, refused, "", "b1");
    }

    private double pickups(String outcome) {
        return registry.get("carlos.runs.pickups")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
