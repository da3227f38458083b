package io.carlos.agent.service.metrics;

import io.carlos.agent.container.pool.WarmPoolListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;

/**
 * The metrics of machines that are booted ahead of need; their boots are among those of {@link MicroVmMetrics}.
 *
 * <table>
 * <caption>Metrics</caption>
 * <tr><td>{@code carlos.microvm.warm}</td><td>gauge, by {@code state}: ready or booting</td></tr>
 * <tr><td>{@code carlos.microvm.warm.takes}</td><td>counter, by {@code outcome}: hit, or miss when none was ready</td></tr>
 * <tr><td>{@code carlos.microvm.warm.discarded}</td><td>counter of those that nobody was given</td></tr>
 * </table>
 */
public final class WarmMetrics implements WarmPoolListener {
    private final Counter hits;
    private final Counter misses;
    private final Counter discarded;

    public WarmMetrics(MeterRegistry registry) {
        this.hits = takes(registry, "hit");
        this.misses = takes(registry, "miss");
        this.discarded = registry.counter("carlos.microvm.warm.discarded");
    }

    private static Counter takes(MeterRegistry registry, String outcome) {
        return registry.counter("carlos.microvm.warm.takes", "outcome", outcome);
    }

    /** Both are asked whenever somebody reads the metrics. */
    public static MeterBinder held(Supplier<Number> ready, Supplier<Number> booting) {
        return registry -> {
            Gauge.builder("carlos.microvm.warm", ready).tag("state", "ready").register(registry);
            Gauge.builder("carlos.microvm.warm", booting)
                    .tag("state", "booting")
                    .register(registry);
        };
    }

    @Override
    public void hit() {
        hits.increment();
    }

    @Override
    public void miss() {
        misses.increment();
    }

    @Override
    public void discarded() {
        discarded.increment();
    }
}
