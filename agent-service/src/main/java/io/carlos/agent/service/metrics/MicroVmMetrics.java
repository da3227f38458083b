package io.carlos.agent.service.metrics;

import io.carlos.agent.container.microvm.MicroVmListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The metrics of virtual machines.
 *
 * <table>
 * <caption>Metrics</caption>
 * <tr><td>{@code carlos.microvm.boot}</td><td>timer of boots, by {@code outcome}: ready or failed</td></tr>
 * <tr><td>{@code carlos.microvm.machines}</td><td>gauge, the machines that are on, boot or stop</td></tr>
 * </table>
 */
public final class MicroVmMetrics implements MicroVmListener {
    private final Timer ready;
    private final Timer failed;

    public MicroVmMetrics(MeterRegistry registry) {
        this.ready = boots(registry, "ready");
        this.failed = boots(registry, "failed");
    }

    private static Timer boots(MeterRegistry registry, String outcome) {
        return registry.timer("carlos.microvm.boot", "outcome", outcome);
    }

    /** @param on how many machines are on now; asked whenever somebody reads the metrics */
    public static MeterBinder machines(Supplier<Number> on) {
        return registry -> Gauge.builder("carlos.microvm.machines", on).register(registry);
    }

    @Override
    public void booted(Duration took) {
        ready.record(took);
    }

    @Override
    public void bootFailed(Duration took) {
        failed.record(took);
    }
}
