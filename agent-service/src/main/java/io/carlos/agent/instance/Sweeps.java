package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.UnsweptException;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends all that runs on the box at once, whoever started it. The control service lists units first and stops them one after the
 * other, so one that is started meanwhile might be stopped for an earlier start of its name. Hence nothing is started on the box until
 * a sweep was answered, of hosts that the box did not have when it began neither. Once it was, a host that does not stop holds back
 * nobody but itself: each is stood down on a task of its own.
 */
final class Sweeps {
    private static final Logger log = LoggerFactory.getLogger(Sweeps.class);

    private static final String LEFT_BEHIND = "a unit of an earlier start of the agent does not stop";

    private final ControlChannel channel;
    private final InstanceDirectories directories;
    private final Tasks tasks;
    private final InstanceSettings settings;
    private final Scheduler scheduler;
    private final Set<SweepRound> rounds = new HashSet<>();
    private volatile boolean bootFailed;

    Sweeps(
            ControlChannel channel,
            InstanceDirectories directories,
            Tasks tasks,
            InstanceSettings settings,
            Scheduler scheduler) {
        this.channel = channel;
        this.directories = directories;
        this.tasks = tasks;
        this.settings = settings;
        this.scheduler = scheduler;
    }

    /**
     * What came of asking for a sweep.
     *
     * @param failure null when all units have stopped
     * @param left what did not stop
     */
    private record Swept(
            List<String> stopped,
            RemainingUnits left,
            @Nullable ControlException failure,
            boolean isOver) {
        /** Nobody knows whether it goes on. */
        static Swept unknown() {
            return new Swept(List.of(), RemainingUnits.none(), null, false);
        }
    }

    private Swept ask() throws InterruptedException {
        try {
            return new Swept(channel.sweep(), RemainingUnits.none(), null, true);
        } catch (UnsweptException e) {
            return new Swept(List.of(), RemainingUnits.of(e.units()), e, true);
        } catch (ControlException e) {
            return new Swept(List.of(), RemainingUnits.none(), e, isAnswer(e));
        }
    }

    private static boolean isAnswer(ControlException e) {
        return e.getCause() == null || e.getCause() instanceof InvalidDocumentException;
    }

    /**
     * What an earlier agent has left; this one has started nothing. A host of which something does not stop is held back until it
     * has, and nobody waits for that here.
     *
     * @param wake for lanes that were held back
     */
    void clear(Collection<Lane> all, Consumer<Lane> wake) throws IOException, InterruptedException {
        Swept swept = ask();
        ControlException failure = swept.failure();
        bootFailed = failure != null && swept.left().isEmpty();
        if (failure == null) {
            log.info("boot: swept: units={}", swept.stopped());
        } else if (bootFailed) {
            throw new IOException(
                    "boot: the units of an earlier start are not stopped: " + failure.getMessage(), failure);
        } else {
            log.error("boot: swept but for some, whose hosts are held back: cause={}", failure.getMessage());
        }
        directories.removeLogSockets();
        SweepRound round = new SweepRound(LEFT_BEHIND, Sweeps::standDownLeftovers, wake, true);
        Map<Lane, Set<Role>> stuck = new HashMap<>();
        synchronized (rounds) {
            rounds.add(round);
            for (Lane lane : all) {
                Set<Role> left = swept.left().of(lane.host());
                if (!left.isEmpty()) {
                    round.hold(lane);
                    stuck.put(lane, left);
                }
            }
        }
        for (Lane lane : all) {
            if (!stuck.containsKey(lane)) {
                lane.swept();
            }
        }
        standDown(round, stuck);
        end(round, swept.left());
    }

    private static void standDownLeftovers(Lane lane, Set<Role> left) throws IOException, InterruptedException {
        lane.stopForNow(LEFT_BEHIND, left);
        lane.swept();
    }

    /** To be called for a lane each time that somebody gets it, so that none is new to a sweep. */
    void meet(Lane lane) {
        Map<SweepRound, Set<Role>> stuck = new HashMap<>();
        synchronized (rounds) {
            for (SweepRound round : rounds) {
                Set<Role> left = round.meet(lane);
                if (!left.isEmpty()) {
                    stuck.put(round, left);
                }
            }
        }
        stuck.forEach((round, left) -> standDown(round, Map.of(lane, left)));
    }

    /**
     * @param all asked for when new lanes are met
     * @param wake for lanes whose instances came to this box while nothing could be started
     * @return the names of units that the control service has stopped
     */
    List<String> stopAll(Supplier<Collection<Lane>> all, String reason, Consumer<Lane> wake)
            throws IOException, InterruptedException {
        SweepRound round = new SweepRound(reason, (lane, left) -> lane.stopForNow(reason, left), wake, false);
        synchronized (rounds) {
            rounds.add(round);
        }
        Swept swept = Swept.unknown();
        try {
            // All are told before any is stopped, so that no start or command takes its end for one of its own.
            all.get().forEach(this::meet);
            swept = ask();
        } finally {
            standDown(round, whatMayRun(round, swept.left()));
            if (swept.isOver() || reachedNobody(swept)) {
                end(round, swept.left());
            } else {
                tasks.fork("finish sweep", () -> endWhenSwept(round));
            }
        }
        List<Host> late = awaitStandDowns(round, swept.left());
        if (swept.failure() != null) {
            throw new IOException(
                    "instances: not all units on the box are stopped: "
                            + swept.failure().getMessage() + "; " + whatIsHeldBack(swept, late),
                    swept.failure());
        }
        if (!late.isEmpty()) {
            throw new IOException("instances: not all are stopped yet: " + late + ": each is held back until it is");
        }
        return swept.stopped();
    }

    private static boolean reachedNobody(Swept swept) {
        return swept.failure() != null && swept.failure().outcome() == ControlException.Outcome.NOTHING_RUNS;
    }

    private static String whatIsHeldBack(Swept swept, List<Host> late) {
        if (!swept.left().isEmpty()) {
            return "each of their hosts is held back until they are";
        }
        if (!swept.isOver() && !reachedNobody(swept)) {
            return "nothing is started until a sweep is answered";
        }
        return late.isEmpty() ? "the box's own instances are" : late + " are held back until they are";
    }

    /** The lanes of the round of which anything may run, with what is known not to have stopped. */
    private Map<Lane, Set<Role>> whatMayRun(SweepRound round, RemainingUnits left) {
        Map<Lane, Set<Role>> lanes = new HashMap<>();
        synchronized (rounds) {
            for (Lane lane : round.held()) {
                Set<Role> known = left.of(lane.host());
                if (!known.isEmpty() || lane.mayRun()) {
                    lanes.put(lane, known);
                }
            }
        }
        return lanes;
    }

    /** Each on a task of its own: one that does not stop keeps no other from being stood down. */
    private void standDown(SweepRound round, Map<Lane, Set<Role>> lanes) {
        lanes.forEach((lane, left) -> {
            synchronized (rounds) {
                if (!round.beginStandDown(lane, left)) {
                    return;
                }
            }
            // Once tasks are closed the agent ends, and nobody starts anything any more.
            tasks.fork("stand down " + lane.host(), () -> standDown(round, lane, left));
        });
    }

    private void standDown(SweepRound round, Lane lane, Set<Role> left) throws InterruptedException {
        Set<Role> next = left;
        do {
            Set<Role> now = next;
            untilItHolds("stand down " + lane.host(), () -> {
                round.standDown(lane, now);
                return true;
            });
            synchronized (rounds) {
                next = round.endStandDown(lane);
            }
        } while (!next.isEmpty());
        release(round);
    }

    /** One try. */
    @FunctionalInterface
    private interface Step {
        /** @return whether it held */
        boolean run() throws IOException, InterruptedException;
    }

    /** Nothing but what waits here ends a hold, so no defect may end the wait. */
    private void untilItHolds(String name, Step step) throws InterruptedException {
        boolean holds = false;
        while (!holds) {
            try {
                holds = step.run();
            } catch (IOException e) {
                log.warn("instances: {} failed, trying again: cause={}", name, e.getMessage());
            } catch (RuntimeException e) {
                log.error("instances: {} failed by a defect, trying again", name, e);
            }
            if (!holds) {
                scheduler.sleep(settings.wakeInterval());
            }
        }
    }

    /** @return the hosts that are not stood down within the bound, without those of which that is known already */
    private List<Host> awaitStandDowns(SweepRound round, RemainingUnits left) throws InterruptedException {
        long until = scheduler.nanoTime() + settings.sweepBound().toNanos();
        while (true) {
            List<Host> late;
            synchronized (rounds) {
                late = round.held().stream()
                        .filter(round::isStandingDown)
                        .map(Lane::host)
                        .filter(host -> left.of(host).isEmpty())
                        .toList();
            }
            if (late.isEmpty() || scheduler.nanoTime() - until >= 0) {
                return late;
            }
            scheduler.sleep(settings.acceptInterval());
        }
    }

    /** The service goes on with a sweep whose caller has gone, and answers the next one only after it. */
    private void endWhenSwept(SweepRound round) throws InterruptedException {
        untilItHolds("finish sweep", () -> {
            Swept swept = ask();
            if (!swept.isOver()) {
                log.warn("instances: sweep: {}", String.valueOf(swept.failure()));
                return false;
            }
            Map<Lane, Set<Role>> stuck = whatMayRun(round, swept.left());
            stuck.values().removeIf(Set::isEmpty);
            standDown(round, stuck);
            end(round, swept.left());
            return true;
        });
    }

    private void end(SweepRound round, RemainingUnits left) {
        synchronized (rounds) {
            rounds.forEach(SweepRound::forgetStrangers); // the newest answer knows better
            round.end(left);
        }
        release(round);
    }

    private void release(SweepRound round) {
        List<Lane> woken;
        synchronized (rounds) {
            woken = round.release();
            rounds.removeIf(SweepRound::isDone);
        }
        for (Lane lane : woken) {
            try {
                round.wake(lane);
            } catch (RuntimeException e) {
                log.error("instances: wake {}: a defect", lane.host(), e);
            }
        }
    }

    /** Whom sweeps keep from being started. */
    HeldBack heldBack() {
        synchronized (rounds) {
            boolean all = bootFailed || rounds.stream().anyMatch(round -> !round.isOver());
            List<Host> hosts = rounds.stream()
                    .flatMap(round -> round.hosts().stream())
                    .distinct()
                    .sorted(Comparator.comparing(Host::value))
                    .toList();
            return new HeldBack(all, hosts);
        }
    }
}
