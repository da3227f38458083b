package io.carlos.agent.runs;

import io.carlos.agent.fleet.Fleet;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunId;
import io.carlos.model.time.Scheduler;
import io.carlos.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this box may write for a run that it picked. Others may take the run {@link RunCloser#ABANDONED_AFTER} past its
 * deadline. From {@link #MARGIN} before that on (for a write under way, and the clocks' difference) the box writes only
 * when a swap of the record has moved the deadline. That swap and another's taking refuse each other, so nothing of a run
 * is written after somebody else's result, and a store that is away for long only delays the end.
 *
 * <p>Used by several tasks at once; two that renew at the same time are one too many, and no harm.
 */
final class Lease {
    static final Duration MARGIN = Duration.ofMinutes(2);

    private static final Logger log = LoggerFactory.getLogger(Lease.class);
    private static final Duration FLEET_LOOK = Duration.ofSeconds(1);

    private final RunId id;
    private final Scheduler scheduler;
    private final Fleet fleet;
    private final Renewal renewal;
    private volatile Instant end;

    /** One attempt to move the run's deadline in its record. */
    @FunctionalInterface
    interface Renewal {
        /**
         * @return the new deadline; empty when the run is this box's no longer
         * @throws StoreException it is not known; trying again is safe
         */
        Optional<Instant> renew() throws InterruptedException;
    }

    /** @param deadline the one that the pick wrote into the record */
    Lease(RunId id, Instant deadline, Scheduler scheduler, Fleet fleet, Renewal renewal) {
        this.id = id;
        this.scheduler = scheduler;
        this.fleet = fleet;
        this.renewal = renewal;
        this.end = endOf(deadline);
    }

    /**
     * Returns when this box may write for the run: at once, or when it has renewed its hold.
     *
     * @throws LeaseLostException the run is another's by now
     */
    void ensure() throws InterruptedException, LeaseLostException {
        while (true) {
            boolean permitted = fleet.mayWrite();
            if (permitted && !scheduler.now().isAfter(end)) {
                return;
            }
            log.warn(
                    "lease: {}: run={}",
                    permitted ? "over its time, renewing" : "waiting until this box may write",
                    id);
            while (!fleet.mayWrite()) {
                if (fleet.isRevoked()) {
                    throw new LeaseLostException("run " + id + " is lost with its box: nothing more is written");
                }
                scheduler.sleep(FLEET_LOOK);
            }
            renew();
        }
    }

    private void renew() throws InterruptedException, LeaseLostException {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                Optional<Instant> deadline = renewal.renew();
                end = endOf(deadline.orElseThrow(
                        () -> new LeaseLostException("run " + id + " was taken by another: nothing more is written")));
                log.info("lease: renewed: run={} until={}", id, end);
                return;
            } catch (StoreException | RecordContendedException e) {
                log.warn("lease: renewal failed, trying again: run={} cause={}", id, e.getMessage());
            }
            scheduler.sleep(backoff.next());
        }
    }

    private static Instant endOf(Instant deadline) {
        return deadline.plus(RunCloser.ABANDONED_AFTER).minus(MARGIN);
    }
}
