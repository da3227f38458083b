package io.carlos.agent.runs;

import io.carlos.model.records.RecordContendedException;
import io.carlos.model.runs.RunId;
import io.carlos.model.time.Scheduler;
import io.carlos.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the steps of one run again until each holds, for as long as the run is this box's. */
final class Persistence {
    private static final Logger log = LoggerFactory.getLogger(Persistence.class);

    private final RunId id;
    private final Scheduler scheduler;
    private final Lease lease;

    Persistence(RunId id, Scheduler scheduler, Lease lease) {
        this.id = id;
        this.scheduler = scheduler;
        this.lease = lease;
    }

    /** One step; it may be done several times, also after it took effect. */
    @FunctionalInterface
    interface Step<T, E extends Exception> {
        T attempt() throws E, IOException, InterruptedException;
    }

    /** How long somebody goes on trying. */
    @FunctionalInterface
    interface Patience {
        /** Waits for so long, or less; returns whether to try once more. */
        boolean await(Duration wait) throws InterruptedException;
    }

    /**
     * Repeats the step while it fails by the store, the disk or contention.
     *
     * @throws LeaseLostException the run is no longer this box's to write for
     */
    <T, E extends Exception> T until(String what, Step<T, E> step) throws E, InterruptedException, LeaseLostException {
        Patience endless = wait -> {
            scheduler.sleep(wait);
            return true;
        };
        return until(what, endless, step).orElseThrow();
    }

    /**
     * Repeats the step likewise, but no longer than somebody has patience.
     *
     * @return empty when that ended
     */
    <T, E extends Exception> Optional<T> until(String what, Patience patience, Step<T, E> step)
            throws E, InterruptedException, LeaseLostException {
        Backoff backoff = new Backoff();
        do {
            lease.ensure();
            try {
                return Optional.of(step.attempt());
            } catch (StoreException | RecordContendedException | IOException e) {
                log.warn("run: {} failed: run={} cause={}", what, id, e.getMessage());
            }
        } while (patience.await(backoff.next()));
        return Optional.empty();
    }
}
