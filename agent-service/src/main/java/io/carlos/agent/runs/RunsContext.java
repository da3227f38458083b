package io.carlos.agent.runs;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ObjectStore;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What the worker and its executions work with: the ports to everything outside.
 *
 * @param launchers one for each isolation this box can give
 * @param random for attempt tokens and jitter
 * @param fleet what the box as a whole may do, and which others are lost
 * @param listener told of picks and ends
 */
public record RunsContext(
        BoxIdentity box,
        ObjectStore store,
        RecordStore records,
        RunCloser closer,
        Map<Isolation, RunLauncher> launchers,
        RunDirectories directories,
        Scheduler scheduler,
        RandomGenerator random,
        RunsSettings settings,
        Fleet fleet,
        RunsListener listener) {
    /** With nobody who listens. */
    public RunsContext(
            BoxIdentity box,
            ObjectStore store,
            RecordStore records,
            RunCloser closer,
            Map<Isolation, RunLauncher> launchers,
            RunDirectories directories,
            Scheduler scheduler,
            RandomGenerator random,
            RunsSettings settings,
            Fleet fleet) {
        this(
                box,
                store,
                records,
                closer,
                launchers,
                directories,
                scheduler,
                random,
                settings,
                fleet,
                RunsListener.NONE);
    }

    /** Of a box that may always write. */
    public RunsContext(
            BoxIdentity box,
            ObjectStore store,
            RecordStore records,
            RunCloser closer,
            Map<Isolation, RunLauncher> launchers,
            RunDirectories directories,
            Scheduler scheduler,
            RandomGenerator random,
            RunsSettings settings) {
        this(box, store, records, closer, launchers, directories, scheduler, random, settings, Fleet.NONE);
    }
}
