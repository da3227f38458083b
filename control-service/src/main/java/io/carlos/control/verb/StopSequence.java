package io.carlos.control.verb;

import io.carlos.control.cgroup.CgroupWatch;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.control.unit.UnitProperty;
import io.carlos.control.unit.UnitStatus;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a unit so that its command can end by itself and its exit status is kept. Under {@code PrivatePIDs=} systemd may
 * take a unit's main process for a stranger and then kills it at once when told to stop; so the command is asked to end
 * first, and systemd is told when nobody is left.
 *
 * <ol>
 *   <li>wait until the program in the namespace has begun, or the unit is not starting any more: a signal that comes
 *       before is lost
 *   <li>SIGTERM to the main process, where there is one; to the first process of the namespace, where systemd says that
 *       there is no main one
 *   <li>wait for an empty control group
 *   <li>{@code stop}
 *   <li>wait for an empty control group
 * </ol>
 */
public final class StopSequence {
    private static final Logger log = LoggerFactory.getLogger(StopSequence.class);
    private static final List<UnitProperty> ASKED = List.of(UnitProperty.INVOCATION_ID, UnitProperty.ACTIVE_STATE);

    private final UnitManager systemd;
    private final CgroupWatch cgroups;
    private final Signal signal;
    private final StatusFiles statusFiles;
    private final StopTimes times;

    /** Asks a unit's command to end, without systemd. */
    @FunctionalInterface
    public interface Signal {
        /** False when there is nobody to ask. */
        boolean terminate(UnitName unit) throws IOException;
    }

    /** @param signal for a unit whose main process systemd does not know */
    public StopSequence(
            UnitManager systemd, CgroupWatch cgroups, Signal signal, StatusFiles statusFiles, StopTimes times) {
        this.systemd = systemd;
        this.cgroups = cgroups;
        this.signal = signal;
        this.statusFiles = statusFiles;
        this.times = times;
    }

    /**
     * Returns when systemd holds the unit for stopped and no process of it lives.
     *
     * @throws UnfinishedException when processes remain
     */
    public void stop(UnitName name) throws SystemdException, UnfinishedException, InterruptedException {
        Unit unit = Unit.of(name);
        try {
            awaitBegun(name, unit);
            if (!cgroups.isEmpty(name)) {
                terminate(name, unit);
                cgroups.awaitEmpty(name, times.grace());
            }
            systemd.stop(unit);
            awaitEmpty(name, times.empty());
        } catch (IOException e) {
            throw new UnfinishedException("stop: " + name + ": its control group cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Waits for that time, and in any case for as long as after a stop.
     *
     * @throws UnfinishedException when processes remain after that
     */
    public void awaitEmpty(UnitName name, Duration time) throws UnfinishedException, InterruptedException {
        Duration limit = time.compareTo(times.empty()) > 0 ? time : times.empty();
        try {
            if (!cgroups.awaitEmpty(name, limit)) {
                throw new UnfinishedException(
                        name + ": processes remain in its control group after " + limit.toSeconds() + " s");
            }
        } catch (IOException e) {
            throw new UnfinishedException(name + ": its control group cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * A unit that is no oneshot counts as started as soon as its process is there, long before the command is; its file
     * is waited for too, but not for long, since a tenant can remove it.
     */
    private void awaitBegun(UnitName name, Unit unit) throws SystemdException, IOException, InterruptedException {
        long start = System.nanoTime();
        Duration pause = times.looks().first();
        while (true) {
            UnitStatus status = systemd.show(unit, ASKED);
            if (status.invocation().filter(id -> statusFiles.hasBegun(name, id)).isPresent()) {
                return;
            }
            Duration limit = status.isActivating() ? times.begin() : times.settle();
            boolean gone = !status.isActivating() && cgroups.isEmpty(name);
            if (gone || System.nanoTime() - start >= limit.toNanos()) {
                return;
            }
            Thread.sleep(pause);
            pause = times.looks().after(pause);
        }
    }

    /**
     * systemd may hold a unit for ended, or its main process for a stranger, while the command runs: told to stop, it would
     * then kill it at once.
     */
    private void terminate(UnitName name, Unit unit) throws InterruptedException {
        try {
            systemd.terminateMain(unit);
        } catch (SystemdException e) {
            log.info("stop: {}: {}: {}", unit, terminateWithoutSystemd(name), e.getMessage());
        }
    }

    /** Whatever comes of it, the stop goes on. */
    private String terminateWithoutSystemd(UnitName name) {
        try {
            boolean sent = !cgroups.isEmpty(name) && signal.terminate(name);
            return sent ? "SIGTERM was sent without systemd" : "no SIGTERM was sent";
        } catch (IOException e) {
            return "SIGTERM could not be sent: " + e.getMessage();
        }
    }
}
