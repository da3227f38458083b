package io.carlos.agent.runs;

import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunId;
import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.time.Instant;

/**
 * Until when this box may write for a run that it picked. Others close out a run {@link RunCloser#ABANDONED_AFTER} past
 * its deadline; the box stops {@link #MARGIN} earlier, which covers a write under way and the clocks' difference, so that
 * nothing of a run is ever written after somebody else's result.
 */
final class Lease {
    static final Duration MARGIN = Duration.ofMinutes(2);

    private final RunId id;
    private final Instant end;
    private final Scheduler scheduler;

    /** @param deadline the one that the pick wrote into the record */
    Lease(RunId id, Instant deadline, Scheduler scheduler) {
        this.id = id;
        this.end = deadline.plus(RunCloser.ABANDONED_AFTER).minus(MARGIN);
        this.scheduler = scheduler;
    }

    void check() throws LeaseLostException {
        if (scheduler.now().isAfter(end)) {
            throw new LeaseLostException("run " + id + " is over its time since " + end + ": others may close it out");
        }
    }
}
