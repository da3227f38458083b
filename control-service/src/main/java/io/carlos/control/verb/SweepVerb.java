package io.carlos.control.verb;

import io.carlos.control.unit.LoadedUnit;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.UnitManager;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.names.UnitName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Stops every tenant's unit that systemd knows of, many of them side by side, whether or not anybody has a record of its host. A unit
 * that is inactive and has no job is left alone.
 */
public final class SweepVerb {
    /** While systemd is told to stop a unit, a process of a megabyte or two waits out of the service's own share. */
    static final int AT_A_TIME = 24;

    private final UnitManager systemd;
    private final Starts starts;
    private final StopSequence stopSequence;
    private final Semaphore stopping = new Semaphore(AT_A_TIME, true);
    private final ReentrantLock one = new ReentrantLock(true);

    public SweepVerb(UnitManager systemd, Starts starts, StopSequence stopSequence) {
        this.systemd = systemd;
        this.starts = starts;
        this.stopSequence = stopSequence;
    }

    /**
     * One sweep goes on at a time: whoever asks again, such as an agent that was started anew meanwhile, waits for the first,
     * and then has little left to do.
     *
     * @throws UnsweptException when some did not stop, naming each; all others have
     */
    public SweepAnswer sweep() throws SystemdException, UnsweptException, InterruptedException {
        starts.withdrawAll();
        one.lockInterruptibly();
        try {
            return sweepAlone();
        } finally {
            one.unlock();
        }
    }

    private SweepAnswer sweepAlone() throws SystemdException, UnsweptException, InterruptedException {
        List<LoadedUnit> loaded = systemd.instances();
        Set<UnitName> withJobs = systemd.unitsWithJobs();
        // A unit with a job is among those in memory, unless the job came between the two calls.
        Set<UnitName> toStop = loaded.stream()
                .filter(unit -> !unit.isInactive() || withJobs.contains(unit.name()))
                .map(LoadedUnit::name)
                .collect(Collectors.toSet());
        toStop.addAll(withJobs);
        Map<UnitName, String> failures = stopAll(toStop);
        if (!failures.isEmpty()) {
            SortedMap<String, String> sorted = new TreeMap<>();
            failures.forEach((name, why) -> sorted.put(name.value(), why));
            throw new UnsweptException(
                    "sweep: " + sorted.size() + " of " + toStop.size() + " units did not stop: "
                            + String.join("; ", sorted.values()),
                    failures.keySet());
        }
        return new SweepAnswer(toStop.stream().map(UnitName::value).toList());
    }

    /** Sweeps that wait for the one that goes on. */
    int sweepsWaiting() {
        return one.getQueueLength();
    }

    /** Units that wait for others to be stopped. */
    int waiting() {
        return stopping.getQueueLength();
    }

    private void stopInTurn(UnitName unit) throws SystemdException, UnfinishedException, InterruptedException {
        stopping.acquire();
        try {
            stopSequence.stop(unit);
        } finally {
            stopping.release();
        }
    }

    private Map<UnitName, String> stopAll(Set<UnitName> units) throws InterruptedException {
        Map<UnitName, String> failures = new ConcurrentHashMap<>();
        List<Thread> stops = units.stream()
                .map(unit -> Thread.ofVirtual().name("sweep").start(() -> {
                    try {
                        stopInTurn(unit);
                    } catch (SystemdException | UnfinishedException | RuntimeException e) {
                        failures.put(unit, unit + ": " + e.getMessage());
                    } catch (InterruptedException e) {
                        failures.put(unit, unit + ": interrupted");
                    }
                }))
                .toList();
        try {
            for (Thread stop : stops) {
                stop.join();
            }
        } finally {
            // Only an interrupted sweep finds any alive here.
            stops.forEach(Thread::interrupt);
        }
        return failures;
    }
}
