package io.carlos.agent.instance;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.runs.BoxRunDirectories;
import io.carlos.agent.runs.StagingRefusedException;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Which instance's data is in a host's directory, for whoever executes something on it. A run is handed on as soon as its record is
 * this box's, and the row of its instance comes a little later; so it is waited for.
 */
public final class InstancePlaces implements BoxRunDirectories.Places {
    /** The rest of a pass over all records, and the stop of an instance that has the host until then. */
    private static final Duration BOUND = Duration.ofSeconds(90);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Instances instances;
    private final Scheduler scheduler;
    private final Duration bound;

    public InstancePlaces(Instances instances, Scheduler scheduler) {
        this(instances, scheduler, BOUND);
    }

    InstancePlaces(Instances instances, Scheduler scheduler, Duration bound) {
        this.instances = instances;
        this.scheduler = scheduler;
        this.bound = bound;
    }

    /** The row of this very incarnation of the record; empty when the box has none, or another's, right now. */
    Optional<InstanceRow> find(RecordRef record, Incarnation incarnation) {
        return instances
                .row(record.host())
                .filter(row -> row.record().equals(record) && row.incarnation().equals(incarnation));
    }

    /** As {@link #find}, and waits for one that is on its way. */
    Optional<InstanceRow> await(RecordRef record, Incarnation incarnation) throws InterruptedException {
        long until = scheduler.nanoTime() + bound.toNanos();
        while (true) {
            Optional<InstanceRow> row = find(record, incarnation);
            if (row.isPresent() || scheduler.nanoTime() - until >= 0) {
                return row;
            }
            scheduler.sleep(LOOK);
        }
    }

    static String notHere(Host host) {
        return "this box does not have " + host + ", or not the instance that the run was asked of";
    }

    /** Nothing makes the directory before the row says whose it is. */
    @Override
    public void make(RunRequest request) throws StagingRefusedException, InterruptedException {
        InstanceRow row = await(request.recordRef(), request.incarnation())
                .orElseThrow(() -> new StagingRefusedException(LaunchOutcome.Reason.CLAIM, notHere(request.host())));
        try {
            instances.units().directories().make(row.id());
        } catch (IOException e) {
            throw new StagingRefusedException(
                    LaunchOutcome.Reason.FLAT, row.host() + " has no place on this box: " + e.getMessage());
        }
    }
}
