package io.carlos.control.ready;

import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the last report of the probe, which runs at the start and then again and again. */
public final class Readiness implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Readiness.class);
    private static final ProbeReport NONE_YET = ProbeReport.notReady("the probe has not been run yet");

    private final Runner probe;
    private final Duration interval;
    private final Consumer<ProbeReport> listener;
    private volatile ProbeReport latest = NONE_YET;
    private @Nullable Thread loop;

    /** One run of the probe. */
    @FunctionalInterface
    public interface Runner {
        ProbeReport run() throws InterruptedException;
    }

    /** @param listener told of every report */
    public Readiness(Runner probe, Duration interval, Consumer<ProbeReport> listener) {
        this.probe = probe;
        this.interval = interval;
        this.listener = listener;
    }

    /** The last report; one that is not ready before the first. */
    public ProbeReport latest() {
        return latest;
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
                keep(runOnce());
                Thread.sleep(interval);
            }
        } catch (InterruptedException e) {
            // The service stops.
            Thread.currentThread().interrupt();
        }
    }

    /** A defect must not leave a box ready for ever. */
    private ProbeReport runOnce() throws InterruptedException {
        try {
            return probe.run();
        } catch (RuntimeException e) {
            log.error("probe: failed", e);
            return ProbeReport.notReady("the probe could not be run: " + e);
        }
    }

    private void keep(ProbeReport report) {
        boolean changed = report.ready() != latest.ready() || latest == NONE_YET;
        latest = report;
        for (ProbeLine line : report.lines()) {
            switch (line.verdict()) {
                case OK -> {}
                case UNVERIFIED -> log.info("probe: {}", line);
                case FAIL -> log.warn("probe: {}", line);
            }
        }
        if (changed) {
            log.info("probe: this box is {}", report.ready() ? "ready" : "not ready");
        }
        listener.accept(report);
    }
}
