package io.carlos.control.unit;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the verbs ask of systemd. Every call blocks its thread until systemd has answered, and ends with
 * {@link SystemdException} when it refuses or takes too long; nothing is tried twice. Threads may call side by side.
 */
public interface UnitManager {
    /** Sets the memory that all units of the slice have together, until the next boot. */
    void setMemory(SliceName slice, MemoryTier tier) throws SystemdException, InterruptedException;

    /** Starts, and returns when it is started: for a oneshot, when its command has ended well. */
    void start(Unit unit) throws SystemdException, InterruptedException;

    /** Queues the start and returns. */
    void startInBackground(Unit unit) throws SystemdException, InterruptedException;

    /** Empty when the unit was never started, or is no longer in systemd's memory. */
    Optional<InvocationId> invocation(Unit unit) throws SystemdException, InterruptedException;

    UnitStatus show(Unit unit, List<UnitProperty> properties) throws SystemdException, InterruptedException;

    /** Sends SIGTERM to the main process alone. */
    void terminateMain(Unit unit) throws SystemdException, InterruptedException;

    /** Stops, and returns when systemd holds it for stopped. */
    void stop(Unit unit) throws SystemdException, InterruptedException;

    /** Forgets that the unit failed; a unit that is not loaded has nothing to forget, and is no error. */
    void resetFailed(Unit unit) throws SystemdException, InterruptedException;

    /** The instances of the four templates that systemd has in memory. */
    List<LoadedUnit> instances() throws SystemdException, InterruptedException;

    /** The instances of the four templates that have a job queued or running. */
    Set<UnitName> unitsWithJobs() throws SystemdException, InterruptedException;
}
