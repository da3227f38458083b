package io.carlos.control.metrics;

import io.carlos.control.peer.Verdict.Refusal;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The service's own metrics. Every tag has a fixed set of values, so that nothing a peer sends makes a new series.
 *
 * <table>
 * <caption>Metrics</caption>
 * <tr><td>{@code carlos.control.verb}</td><td>timer, by {@code verb} and {@code outcome}</td></tr>
 * <tr><td>{@code carlos.control.peer.refused}</td><td>counter, by {@code reason}</td></tr>
 * <tr><td>{@code carlos.control.probe}</td><td>counter of probe runs, by {@code verdict}</td></tr>
 * <tr><td>{@code carlos.control.probe.lines}</td><td>counter of a probe's lines, by {@code verdict}</td></tr>
 * <tr><td>{@code carlos.control.ready}</td><td>gauge, 1 while the box is ready</td></tr>
 * <tr><td>{@code carlos.control.cgroup.wait}</td><td>timer of waits for an empty control group, by {@code outcome}</td></tr>
 * </table>
 */
public final class ControlMetrics {
    private final MeterRegistry registry;

    public ControlMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (Refusal refusal : Refusal.values()) {
            refused(refusal);
        }
    }

    public void verb(String verb, String outcome, Duration time) {
        Timer.builder("carlos.control.verb")
                .tag("verb", verb)
                .tag("outcome", outcome)
                .register(registry)
                .record(time);
    }

    public void peerRefused(Refusal reason) {
        refused(reason).increment();
    }

    private Counter refused(Refusal reason) {
        return Counter.builder("carlos.control.peer.refused")
                .tag("reason", reason.tag())
                .register(registry);
    }

    /** @param ready whether the box is ready now; asked whenever somebody reads the metrics */
    public void showReadiness(BooleanSupplier ready) {
        Gauge.builder("carlos.control.ready", () -> ready.getAsBoolean() ? 1 : 0)
                .register(registry);
    }

    public void probed(ProbeReport report) {
        count("carlos.control.probe", report.ready() ? "ready" : "not_ready");
        for (ProbeLine line : report.lines()) {
            count("carlos.control.probe.lines", line.verdict().wireName());
        }
    }

    private void count(String name, String verdict) {
        Counter.builder(name).tag("verdict", verdict).register(registry).increment();
    }

    /** @param empty whether the control group was empty in the end */
    public void cgroupWait(boolean empty, Duration time) {
        Timer.builder("carlos.control.cgroup.wait")
                .tag("outcome", empty ? "empty" : "populated")
                .register(registry)
                .record(time);
    }
}
