package io.carlos.agent.instance;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.unit.InstanceGate;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets commands run beside the instances that this box has. An instance that should run and does not is woken by the command, which
 * does not wait for it: repairing an instance that does not start is what a command may be there for. It does wait for a seed, which
 * is the first to have the data, and for the agent to have cleared the box.
 */
public final class BoxInstanceGate implements InstanceGate {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final String NOT_CLEARED = "the agent has not cleared the box yet";

    private final Instances instances;
    private final InstancePlaces places;
    private final Scheduler scheduler;
    private final Patience patience;

    /**
     * How long a command waits before it is refused.
     *
     * @param idle while nothing is seen to be done about what it waits for
     * @param seeding while its instance's seed runs
     */
    record Patience(Duration idle, Duration seeding) {
        /** A seed has two minutes, and its stop some more. */
        static final Patience DEFAULT = new Patience(Duration.ofSeconds(15), Duration.ofMinutes(4));
    }

    public BoxInstanceGate(Instances instances, InstancePlaces places, Scheduler scheduler) {
        this(instances, places, scheduler, Patience.DEFAULT);
    }

    BoxInstanceGate(Instances instances, InstancePlaces places, Scheduler scheduler, Patience patience) {
        this.instances = instances;
        this.places = places;
        this.scheduler = scheduler;
        this.patience = patience;
    }

    @Override
    public Admission admit(RecordRef record, Incarnation incarnation, Command command) throws InterruptedException {
        Host host = record.host();
        if (places.await(record, incarnation).isEmpty()) {
            return notHere(host);
        }
        CommandHolds commands = instances.lane(host).turn().commands();
        @Nullable Admission instead = awaitRoom(record, incarnation, commands);
        if (instead != null) {
            return instead;
        }
        Optional<Hold> hold = commands.hold(command);
        if (hold.isEmpty()) {
            return new Stopped(commands.reason());
        }
        try {
            // What becomes of the instance from here on is told to the command; what became of it before is in the row.
            Admission admission = admit(record, incarnation, hold.get());
            if (!(admission instanceof Ready)) {
                hold.get().release();
            }
            return admission;
        } catch (RuntimeException e) {
            hold.get().release();
            throw e;
        }
    }

    /** @return why there is no room; null when there is */
    private @Nullable Admission awaitRoom(RecordRef record, Incarnation incarnation, CommandHolds commands)
            throws InterruptedException {
        long start = scheduler.nanoTime();
        long idleSince = start;
        boolean woken = false;
        while (true) {
            Optional<InstanceRow> row = places.find(record, incarnation);
            if (row.isEmpty()) {
                return notHere(record.host());
            }
            if (row.get().isolation() != Isolation.UNIT) {
                return withoutUnits(row.get());
            }
            if (commands.isStopping()) {
                return new Stopped(commands.reason());
            }
            if (instances.begun()) {
                @Nullable Admission notReady = requireReady();
                if (notReady != null || isSeeded(row.get())) {
                    return notReady;
                }
                if (row.get().desired() != Desired.RUN) {
                    return unseeded(row.get());
                }
                if (!woken) {
                    instances.wake(record.host());
                    woken = true;
                }
            }
            long now = scheduler.nanoTime();
            if (row.get().state() == InstanceState.SEEDING) {
                idleSince = now;
            }
            if (now - idleSince >= patience.idle().toNanos()
                    || now - start >= patience.seeding().toNanos()) {
                return instances.begun() ? unseeded(row.get()) : refused(LaunchOutcome.Reason.WAKE, NOT_CLEARED);
            }
            scheduler.sleep(LOOK);
        }
    }

    private @Nullable Admission requireReady() throws InterruptedException {
        try {
            instances.units().requireReady();
            return null;
        } catch (StartFailedException e) {
            return refused(LaunchOutcome.Reason.WAKE, String.valueOf(e.getMessage()));
        }
    }

    /** A command beside a seed would work on data that is half there. */
    private static boolean isSeeded(InstanceRow row) {
        return !row.needsSeed() && row.state() != InstanceState.SEEDING;
    }

    private Admission admit(RecordRef record, Incarnation incarnation, Hold hold) {
        Optional<InstanceRow> found = places.find(record, incarnation);
        if (found.isEmpty()) {
            return notHere(record.host());
        }
        InstanceRow row = found.get();
        if (row.isolation() != Isolation.UNIT) {
            return withoutUnits(row);
        }
        if (!isSeeded(row)) {
            return unseeded(row);
        }
        try {
            instances.units().directories().make(row.id());
            MemoryTier memory = MemoryTier.of(Long.toString(row.memoryMax()));
            instances.wake(row.host());
            return new Ready(memory, row.env(), hold);
        } catch (IOException | InvalidNameException e) {
            return refused(LaunchOutcome.Reason.FLAT, row.host() + " has no place on this box: " + e.getMessage());
        }
    }

    private static Refused notHere(Host host) {
        return refused(LaunchOutcome.Reason.CLAIM, InstancePlaces.notHere(host));
    }

    private static Refused withoutUnits(InstanceRow row) {
        return refused(
                LaunchOutcome.Reason.FLAT,
                row.host() + " has the isolation " + row.isolation() + ", and no units on this box");
    }

    private static Refused unseeded(InstanceRow row) {
        String why = row.reason().isEmpty() ? "" : ": " + row.reason();
        return refused(LaunchOutcome.Reason.WAKE, "the seed of " + row.host() + " has not succeeded" + why);
    }

    private static Refused refused(LaunchOutcome.Reason reason, String detail) {
        return new Refused(reason, detail);
    }
}
