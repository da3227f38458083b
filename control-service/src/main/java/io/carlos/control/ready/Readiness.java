package io.carlos.control.ready;

import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the last report of the probe, which runs at the start and then again and again: soon while the box is not ready,
 * in long intervals while it is. A report is worth something for one interval and the time that a probe takes: one that
 * is older counts as none.
 */
public final class Readiness implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Readiness.class);
    private static final ProbeReport NONE_YET = ProbeReport.notReady("the probe has not been run yet");

    private final Runner probe;
    private final Times times;
    private final Consumer<ProbeReport> listener;
    private final LongSupplier nanoTime;
    private volatile Kept kept;
    private @Nullable Thread loop;

    /** One run of the probe. */
    @FunctionalInterface
    public interface Runner {
        ProbeReport run() throws InterruptedException;
    }

    /**
     * When the probe runs.
     *
     * @param interval from the end of a run that found the box ready to the next
     * @param retry from the end of one that did not
     * @param slack how much older than the interval a report may be
     */
    public record Times(Duration interval, Duration retry, Duration slack) {
        private static final Duration RETRY = Duration.ofSeconds(5);

        /** Longer than systemd lets the probe run, and than its start is waited for. */
        private static final Duration SLACK = Duration.ofSeconds(180);

        public static Times every(Duration interval) {
            return new Times(interval, interval.compareTo(RETRY) < 0 ? interval : RETRY, SLACK);
        }
    }

    private record Kept(ProbeReport report, long since) {}

    /** @param listener told of every report */
    public Readiness(Runner probe, Times times, Consumer<ProbeReport> listener) {
        this(probe, times, listener, System::nanoTime);
    }

    Readiness(Runner probe, Times times, Consumer<ProbeReport> listener, LongSupplier nanoTime) {
        this.probe = probe;
        this.times = times;
        this.listener = listener;
        this.nanoTime = nanoTime;
        kept = new Kept(NONE_YET, nanoTime.getAsLong());
    }

    /** The last report; one that is not ready before the first, and when the last one is too old. */
    public ProbeReport latest() {
        Kept last = kept;
        Duration age = Duration.ofNanos(nanoTime.getAsLong() - last.since());
        boolean old = age.compareTo(times.interval().plus(times.slack())) > 0;
        return last.report().ready() && old
                ? ProbeReport.notReady("the last report is " + age.toSeconds()
                        + " s old: the probe is not run any more; restart the control service")
                : last.report();
    }

    /** @throws NotReadyException unless the last report is one of a box that isolates its instances */
    public void require() throws NotReadyException {
        ProbeReport report = latest();
        if (!report.ready()) {
            throw new NotReadyException(report);
        }
    }

    public synchronized void start() {
        if (loop == null) {
            loop = Thread.ofVirtual().name("probe").start(this::repeat);
        }
    }

    public synchronized boolean isRunning() {
        return loop != null;
    }

    /** Probes no more; the last report stays. */
    @Override
    public synchronized void close() {
        Thread running = loop;
        loop = null;
        if (running != null) {
            running.interrupt();
        }
    }

    private void repeat() {
        try {
            while (true) {
                ProbeReport report = runOnce();
                Thread.sleep(report.ready() ? times.interval() : times.retry());
            }
        } catch (InterruptedException e) {
            // The service stops.
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing ends the loop, and no defect leaves a box ready for ever. */
    private ProbeReport runOnce() throws InterruptedException {
        try {
            ProbeReport report = probe.run();
            keep(report);
            return report;
        } catch (RuntimeException | Error e) {
            log.error("probe: failed", e);
            return keepDefect(e);
        }
    }

    /** Nobody else is told: it may be the telling that failed. */
    private ProbeReport keepDefect(Throwable defect) {
        ProbeReport report = ProbeReport.notReady("the probe could not be run: " + defect);
        kept = new Kept(report, nanoTime.getAsLong());
        return report;
    }

    private void keep(ProbeReport report) {
        ProbeReport before = kept.report();
        kept = new Kept(report, nanoTime.getAsLong());
        // A box that stays as it is not is probed every few seconds, and says so once.
        if (!report.equals(before) || report.ready()) {
            tell(report);
        }
        if (report.ready() != before.ready() || before == NONE_YET) {
            log.info("probe: this box is {}", report.ready() ? "ready" : "not ready");
        }
        listener.accept(report);
    }

    private static void tell(ProbeReport report) {
        for (ProbeLine line : report.lines()) {
            switch (line.verdict()) {
                case OK -> {}
                case UNVERIFIED -> log.info("probe: {}", line);
                case FAIL -> log.warn("probe: {}", line);
            }
        }
    }
}
