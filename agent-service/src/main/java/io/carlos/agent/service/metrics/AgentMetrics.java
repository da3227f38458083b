package io.carlos.agent.service.metrics;

import io.carlos.agent.PassListener;
import io.carlos.agent.reconcile.PassReport;
import io.carlos.agent.runs.RunsListener;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunResult;
import io.carlos.store.ObjectKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The agent's own metrics. Every tag has a fixed set of values, so that nothing a tenant does makes a new series.
 *
 * <table>
 * <caption>Metrics</caption>
 * <tr><td>{@code carlos.pass}</td><td>timer of complete passes over the records</td></tr>
 * <tr><td>{@code carlos.pass.incomplete}</td><td>counter of passes that were not</td></tr>
 * <tr><td>{@code carlos.records}</td><td>gauge, the records of the last complete pass</td></tr>
 * <tr><td>{@code carlos.records.unreadable}</td><td>gauge, those of them that were left out</td></tr>
 * <tr><td>{@code carlos.runs.pickups}</td><td>counter of picks, by {@code outcome}: picked or missed</td></tr>
 * <tr><td>{@code carlos.runs.pickup.latency}</td><td>timer with a histogram, from the order to the pick</td></tr>
 * <tr><td>{@code carlos.runs.executing}</td><td>gauge</td></tr>
 * <tr><td>{@code carlos.runs.ended}</td><td>counter, by {@code outcome}</td></tr>
 * <tr><td>{@code carlos.chunk.puts}</td><td>counter of chunks that became durable</td></tr>
 * <tr><td>{@code carlos.chunk.retries}</td><td>counter of puts of chunks that failed, and are tried again</td></tr>
 * <tr><td>{@code carlos.chunk.size}</td><td>counter of the bytes of chunks that became durable</td></tr>
 * <tr><td>{@code carlos.store.call}</td><td>timer, by {@code operation} and {@code outcome}</td></tr>
 * <tr><td>{@code carlos.instances}</td><td>gauge, by {@code state}</td></tr>
 * <tr><td>{@code carlos.logs.pauses}</td><td>counter, how often an instance that printed too fast was made to wait</td></tr>
 * <tr><td>{@code carlos.logs.dropped}</td><td>counter of lines that the journal did not take</td></tr>
 * </table>
 */
public final class AgentMetrics implements PassListener, RunsListener, StoreCalls {
    private static final Duration[] LATENCIES = Stream.of(
                    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final Timer passes;
    private final Counter incomplete;
    private final Timer latency;
    private final Counter chunkPuts;
    private final Counter chunkRetries;
    private final Counter chunkBytes;
    private final AtomicInteger listed = new AtomicInteger();
    private final AtomicInteger unreadable = new AtomicInteger();

    public AgentMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.passes = registry.timer("carlos.pass");
        this.incomplete = registry.counter("carlos.pass.incomplete");
        this.latency = Timer.builder("carlos.runs.pickup.latency")
                .serviceLevelObjectives(LATENCIES)
                .register(registry);
        this.chunkPuts = registry.counter("carlos.chunk.puts");
        this.chunkRetries = registry.counter("carlos.chunk.retries");
        this.chunkBytes =
                Counter.builder("carlos.chunk.size").baseUnit(BaseUnits.BYTES).register(registry);
        Gauge.builder("carlos.records", listed, AtomicInteger::get).register(registry);
        Gauge.builder("carlos.records.unreadable", unreadable, AtomicInteger::get)
                .register(registry);
        Stream.of("picked", "missed").forEach(this::pickups);
    }

    /** @param executing how many runs execute now; asked whenever somebody reads the metrics */
    public static MeterBinder executing(Supplier<Number> executing) {
        return registry -> Gauge.builder("carlos.runs.executing", executing).register(registry);
    }

    /** @param inState how many instances are in a state now; asked whenever somebody reads the metrics */
    public static MeterBinder instances(List<String> states, ToLongFunction<String> inState) {
        return registry -> states.forEach(state -> Gauge.builder("carlos.instances", () -> inState.applyAsLong(state))
                .tag("state", state)
                .register(registry));
    }

    /**
     * @param pauses how often an instance was made to wait so far
     * @param dropped how many lines the journal did not take so far
     */
    public static MeterBinder logs(LongSupplier pauses, LongSupplier dropped) {
        return registry -> {
            FunctionCounter.builder("carlos.logs.pauses", pauses, LongSupplier::getAsLong)
                    .register(registry);
            FunctionCounter.builder("carlos.logs.dropped", dropped, LongSupplier::getAsLong)
                    .baseUnit("lines")
                    .register(registry);
        };
    }

    @Override
    public void passed(PassReport report) {
        passes.record(report.took());
        listed.set(report.listed());
        unreadable.set(report.unreadable());
    }

    @Override
    public void failed(Exception cause) {
        incomplete.increment();
    }

    @Override
    public void picked(Duration waited) {
        pickups("picked").increment();
        latency.record(waited);
    }

    @Override
    public void notPicked() {
        pickups("missed").increment();
    }

    private Counter pickups(String outcome) {
        return registry.counter("carlos.runs.pickups", "outcome", outcome);
    }

    @Override
    public void finished(RunResult result) {
        registry.counter("carlos.runs.ended", "outcome", outcome(result)).increment();
    }

    private static String outcome(RunResult result) {
        if (!result.refused().isEmpty()) {
            return "refused";
        }
        if (!result.interrupted().isEmpty()) {
            return "interrupted";
        }
        if (result.timedOut()) {
            return "timed_out";
        }
        return result.cancelled() ? "cancelled" : "finished";
    }

    @Override
    public void ended(Operation operation, Outcome outcome, Duration took) {
        registry.timer("carlos.store.call", "operation", operation.tag(), "outcome", outcome.tag())
                .record(took);
    }

    /** A conflict is the chunk's own earlier put, whose answer was lost. */
    @Override
    public void put(ObjectKey key, int bytes, Outcome outcome) {
        if (!RunKeys.namesChunk(key)) {
            return;
        }
        switch (outcome) {
            case OK, CONFLICT -> {
                chunkPuts.increment();
                chunkBytes.increment(bytes);
            }
            case FAILED -> chunkRetries.increment();
        }
    }
}
