package io.carlos.agent;

import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.reconcile.PassReport;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.time.Scheduler;
import io.carlos.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When an agent goes over the records: once at boot, then at every interval and whenever the region's change marker has
 * moved or somebody called {@link #wake}. Whoever drives it acts on what a pass has noted, after the pass.
 *
 * <p>{@link #boot} and {@link #awaitPass} are called by one thread at a time, the others by any.
 */
public final class AgentPulse {
    private static final Logger log = LoggerFactory.getLogger(AgentPulse.class);

    /** How long a wait may be without a sign of whoever makes the passes. */
    private static final Duration SIGN_OF_LIFE = Duration.ofMinutes(1);

    private final AgentSettings settings;
    private final Fleet fleet;
    private final Reconciler reconciler;
    private final RunsWorker worker;
    private final RunDirectories directories;
    private final ChangeMarker marker;
    private final Scheduler scheduler;
    private final PassListener listener;
    private final Lock lock;
    private final Condition woken;
    private boolean wake;
    private boolean stopping;
    private boolean due;
    private long nextPass;
    private String markerEtag = "";

    public AgentPulse(
            AgentSettings settings,
            Fleet fleet,
            Reconciler reconciler,
            RunsWorker worker,
            RunDirectories directories,
            ChangeMarker marker,
            Scheduler scheduler) {
        this(settings, fleet, reconciler, worker, directories, marker, scheduler, PassListener.NONE);
    }

    public AgentPulse(
            AgentSettings settings,
            Fleet fleet,
            Reconciler reconciler,
            RunsWorker worker,
            RunDirectories directories,
            ChangeMarker marker,
            Scheduler scheduler,
            PassListener listener) {
        this.settings = settings;
        this.fleet = fleet;
        this.reconciler = reconciler;
        this.worker = worker;
        this.directories = directories;
        this.marker = marker;
        this.scheduler = scheduler;
        this.listener = listener;
        this.lock = scheduler.newLock();
        this.woken = lock.newCondition();
        this.nextPass = scheduler.nanoTime();
    }

    /**
     * Clears the box of what an earlier start left, trying until it holds or {@link #stop} is called, and waits for as long as the
     * fleet holds this start back: no record may be acted on before. The first pass is due at once then.
     */
    public void boot() throws InterruptedException {
        sweep();
        awaitTurn();
        wake();
    }

    /**
     * Waits until a pass is due and makes it. A pass that fails is due again after the look interval.
     *
     * @return the records to act on, those of a failed pass too; none when {@link #stop} was called
     */
    public List<InstanceRecord> awaitPass() throws InterruptedException {
        while (true) {
            listener.looking();
            due |= awaitWake(settings.lookInterval());
            if (isStopping()) {
                return List.of();
            }
            due |= worker.hasRoomAgain();
            if (hasMoved() || due || scheduler.nanoTime() - nextPass >= 0) {
                due = !pass();
                nextPass = scheduler.nanoTime() + settings.passInterval().toNanos();
                return worker.takeNoted();
            }
        }
    }

    /** Whether {@link #stop} was called. */
    public boolean isStopping() {
        lock.lock();
        try {
            return stopping;
        } finally {
            lock.unlock();
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

    /** Ends every wait of its driver, and the pass under way at its next record; there is no other pass. */
    public void stop() {
        reconciler.stop();
        lock.lock();
        try {
            stopping = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void sweep() throws InterruptedException {
        while (!isStopping()) {
            listener.looking();
            try {
                directories.sweep();
                return;
            } catch (IOException | RuntimeException e) {
                log.error("boot: sweep failed, trying again: cause={}", e.getMessage(), e);
            }
            awaitWake(settings.lookInterval());
        }
    }

    private void awaitTurn() throws InterruptedException {
        Duration wait = fleet.heldBack();
        if (wait.isPositive()) {
            log.warn("boot: another start of this box may still act, waiting: for={}", wait);
        }
        while (wait.isPositive() && !isStopping()) {
            listener.looking();
            awaitWake(wait.compareTo(SIGN_OF_LIFE) < 0 ? wait : SIGN_OF_LIFE);
            wait = fleet.heldBack();
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
            listener.passed(report);
            return true;
        } catch (StoreException e) {
            log.warn("pass: incomplete, the box stays as it is: cause={}", e.getMessage());
            listener.failed(e);
            return false;
        } catch (CancellationException e) {
            log.info("pass: ended before its last record: cause={}", e.getMessage());
            return false;
        } catch (RuntimeException e) {
            // Whatever it was, a box whose loop has ended would look alive and do nothing.
            log.error("pass: incomplete by a defect, the box stays as it is", e);
            listener.failed(e);
            return false;
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
}
