package io.carlos.agent;

import io.carlos.agent.reconcile.PassReport;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.time.Scheduler;
import io.carlos.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent's pulse: one boot pass, then a pass at every interval and whenever the region's change marker has moved or
 * somebody called {@link #wake}. The worker acts after each pass, never during one.
 */
public final class AgentLoop {
    private static final Logger log = LoggerFactory.getLogger(AgentLoop.class);

    private final AgentSettings settings;
    private final Reconciler reconciler;
    private final RunsWorker worker;
    private final RunDirectories directories;
    private final ChangeMarker marker;
    private final Scheduler scheduler;
    private final Lock lock;
    private final Condition woken;
    private boolean wake;
    private boolean stopping;
    private String markerEtag = "";

    public AgentLoop(
            AgentSettings settings,
            Reconciler reconciler,
            RunsWorker worker,
            RunDirectories directories,
            ChangeMarker marker,
            Scheduler scheduler) {
        this.settings = settings;
        this.reconciler = reconciler;
        this.worker = worker;
        this.directories = directories;
        this.marker = marker;
        this.scheduler = scheduler;
        this.lock = scheduler.newLock();
        this.woken = lock.newCondition();
    }

    /** Runs until {@link #stop}; ends early when interrupted. */
    public void run() throws InterruptedException {
        sweep();
        boolean due = true;
        long nextPass = scheduler.nanoTime();
        while (!isStopping()) {
            if (hasMoved() || due || scheduler.nanoTime() - nextPass >= 0) {
                due = !pass();
                nextPass = scheduler.nanoTime() + settings.passInterval().toNanos();
            }
            due |= awaitWake(settings.lookInterval());
        }
    }

    /** Makes the next pass begin at once. */
    public void wake() {
        lock.lock();
        try {
            wake = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends {@link #run} after the pass under way. */
    public void stop() {
        lock.lock();
        try {
            stopping = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Before any run is acted on: what an earlier start left on the box must not meet a new run. */
    private void sweep() throws InterruptedException {
        while (!isStopping()) {
            try {
                directories.sweep();
                return;
            } catch (IOException | RuntimeException e) {
                log.error("boot: sweep failed, trying again: cause={}", e.getMessage(), e);
            }
            awaitWake(settings.lookInterval());
        }
    }

    /** Looks before the pass, so that what moves during it is seen by the next. */
    private boolean hasMoved() {
        try {
            String etag = marker.look(markerEtag);
            boolean moved = !etag.equals(markerEtag);
            markerEtag = etag;
            return moved;
        } catch (StoreException e) {
            log.warn("pass: marker not read: cause={}", e.getMessage());
            return false;
        }
    }

    /** @return whether the pass was complete */
    private boolean pass() throws InterruptedException {
        try {
            PassReport report = reconciler.pass();
            log.debug("pass: done: {}", report);
            return true;
        } catch (StoreException e) {
            log.warn("pass: incomplete, the box stays as it is: cause={}", e.getMessage());
            return false;
        } catch (RuntimeException e) {
            // Whatever it was, a box whose loop has ended would look alive and do nothing.
            log.error("pass: incomplete by a defect, the box stays as it is", e);
            return false;
        } finally {
            worker.act();
        }
    }

    /** @return whether somebody called {@link #wake} */
    private boolean awaitWake(Duration wait) throws InterruptedException {
        long until = scheduler.nanoTime() + wait.toNanos();
        lock.lock();
        try {
            while (!wake && !stopping) {
                long left = until - scheduler.nanoTime();
                if (left <= 0) {
                    break;
                }
                woken.await(left, TimeUnit.NANOSECONDS);
            }
            boolean woke = wake;
            wake = false;
            return woke;
        } finally {
            lock.unlock();
        }
    }

    private boolean isStopping() {
        lock.lock();
        try {
            return stopping;
        } finally {
            lock.unlock();
        }
    }
}
