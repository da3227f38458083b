package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.logs.InstanceLogs;
import io.carlos.agent.logs.LogIntake;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.files.StatusFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.WaitingRoom;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One unit's start and end, with all that belongs to it: its log listener before, its launch file, and what tells of its end. A
 * start that fails leaves none of these. The caller sees to it that a host's roles are handled one at a time.
 */
final class Units {
    private static final Logger log = LoggerFactory.getLogger(Units.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ControlChannel channel;
    private final InstanceDirectories directories;
    private final InstanceLogs logs;
    private final BoxPaths paths;
    private final InstanceSettings settings;
    private final Scheduler scheduler;
    private final WaitingRoom starts;
    private final WaitingRoom seeds;

    Units(ControlChannel channel, InstanceLogs logs, BoxPaths paths, InstanceSettings settings, Scheduler scheduler) {
        this.channel = channel;
        this.directories = new InstanceDirectories(paths);
        this.logs = logs;
        this.paths = paths;
        this.settings = settings;
        this.scheduler = scheduler;
        this.starts = new WaitingRoom(settings.startsAtATime(), settings.acceptInterval(), scheduler);
        this.seeds = new WaitingRoom(settings.seedsAtATime(), settings.acceptInterval(), scheduler);
    }

    InstanceDirectories directories() {
        return directories;
    }

    /** @throws StartFailedException when the box is not proven to isolate, naming the lines of the probe that failed */
    void requireReady() throws StartFailedException, InterruptedException {
        ProbeReport report;
        try {
            report = channel.probe();
        } catch (ControlException e) {
            throw StartFailedException.notReady("the control service gives no probe report: " + e.getMessage());
        }
        if (!report.ready()) {
            String failed = report.lines().stream()
                    .filter(line -> line.verdict() == ProbeLine.Verdict.FAIL)
                    .map(ProbeLine::toString)
                    .collect(Collectors.joining("; "));
            throw StartFailedException.notReady(
                    "the box is not ready: " + (failed.isEmpty() ? "its probe has no lines" : failed));
        }
    }

    /**
     * @param role run or sidecar
     * @param isCancelled asked while others are being started and it waits
     */
    RunningUnit start(InstanceRow row, Role role, BooleanSupplier isCancelled)
            throws StartFailedException, InterruptedException {
        Host host = row.host();
        MemoryTier memory = memory(row);
        LogIntake intake = prepare(row, role);
        try {
            InvocationId invocation = inside(starts, isCancelled, () -> channel.start(host, role, memory));
            return new RunningUnit(host, role, invocation, intake);
        } catch (ControlException e) {
            throw undone(row, role, intake, e);
        } catch (StartFailedException e) {
            discard(row, role, intake);
            throw e;
        }
    }

    /** @return how the seed ended, also when it did not succeed */
    SeedEnd seed(InstanceRow row, BooleanSupplier isCancelled) throws StartFailedException, InterruptedException {
        Host host = row.host();
        MemoryTier memory = memory(row);
        LogIntake intake = prepare(row, Role.SEED);
        SeedAnswer answer;
        try {
            answer = inside(seeds, isCancelled, () -> channel.seed(host, memory));
        } catch (ControlException e) {
            return seedWithoutAnswer(row, intake, e);
        } catch (StartFailedException e) {
            discard(row, Role.SEED, intake);
            throw e;
        }
        UnitEnd end = takeEnd(new RunningUnit(host, Role.SEED, answer.invocationId(), intake));
        return new SeedEnd(end.isSeeded(answer.result()), end.words() + " (systemd: " + answer.result() + ")");
    }

    /** A seed whose answer was lost may have done its work. Then it said so before it was told to end. */
    private SeedEnd seedWithoutAnswer(InstanceRow row, LogIntake intake, ControlException cause)
            throws StartFailedException, InterruptedException {
        Optional<InvocationId> done = directories.seedThatExitedWithZero(row.id());
        if (done.isEmpty()) {
            throw undone(row, Role.SEED, intake, cause);
        }
        UnitEnd end = end(new RunningUnit(row.host(), Role.SEED, done.get(), intake));
        String result = end.exit().map(ExitRecord::result).orElse("");
        return new SeedEnd(end.isSeeded(result), end.words() + " (its answer was lost)");
    }

    /** A call to the control service. */
    private interface Call<T> {
        T call() throws ControlException, InterruptedException;
    }

    private static <T> T inside(WaitingRoom room, BooleanSupplier isCancelled, Call<T> call)
            throws ControlException, StartFailedException, InterruptedException {
        if (!room.enter(isCancelled)) {
            throw StartFailedException.stoppedMeanwhile();
        }
        try {
            return call.call();
        } finally {
            room.leave();
        }
    }

    /** @param words fits after "the seed" */
    record SeedEnd(boolean succeeded, String words) {}

    /** Whether anything hints that the unit has ended. Its tenant can make it look so, and is stopped then. */
    boolean seemsEnded(RunningUnit unit) {
        return unit.log().hasEnded() || saysEnded(unit);
    }

    /** Whether a file says so: one that was killed leaves its log as well, and this need not be asked often. */
    private boolean saysEnded(RunningUnit unit) {
        return directories
                        .status(unit.id(), unit.role(), unit.invocation())
                        .filter(status -> status.cause() != StatusFile.Cause.RUNNING)
                        .isPresent()
                || directories.exit(unit.id(), unit.role(), unit.invocation()).isPresent();
    }

    /** Whether the unit's trampoline has come to its program. */
    boolean isUnderWay(RunningUnit unit) {
        return directories.status(unit.id(), unit.role(), unit.invocation()).isPresent();
    }

    /** Waits for the launchers of commands to be done with them, but not for ever. */
    void awaitReleased(CommandHolds commands) throws InterruptedException {
        long until = scheduler.nanoTime() + settings.releaseBound().toNanos();
        while (!commands.isEmpty() && scheduler.nanoTime() - until < 0) {
            scheduler.sleep(settings.acceptInterval());
        }
    }

    /** Stops the unit, if it has not ended by itself, until it holds, and removes all that belongs to it. */
    UnitEnd end(RunningUnit unit) throws InterruptedException {
        stop(unit.host(), unit.role());
        return takeEnd(unit);
    }

    /** Stops whatever runs of the role, until it holds: nothing else may be done with the host before. */
    void stop(Host host, Role role) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                channel.stop(host, role);
                // One that failed stays loaded, and would be in the way of the next.
                channel.reset(host, role);
                return;
            } catch (ControlException e) {
                log.warn("instances: stop failed, trying again: host={} role={} cause={}", host, role, e.getMessage());
            }
            scheduler.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** Stops it once if that is possible right now. */
    void tryStop(Host host, Role role) throws InterruptedException {
        try {
            channel.stop(host, role);
        } catch (ControlException e) {
            log.warn("instances: stop failed: host={} role={} cause={}", host, role, e.getMessage());
        }
    }

    /** Removes what an earlier agent has prepared for units of the host; none of them runs any more. */
    void forget(Host host) throws InterruptedException {
        for (Role role : Role.values()) {
            boolean inHand = directories.removeLaunch(InstanceId.of(host), role);
            if (inHand && role == Role.CMD) {
                forgetFailure(host, role);
            }
        }
    }

    /** A command that was ended with its agent has failed, and systemd would keep that until the host's next command. */
    private void forgetFailure(Host host, Role role) throws InterruptedException {
        try {
            channel.reset(host, role);
        } catch (ControlException e) {
            log.warn("instances: reset failed: host={} role={} cause={}", host, role, e.getMessage());
        }
    }

    private static MemoryTier memory(InstanceRow row) throws StartFailedException {
        try {
            return MemoryTier.of(Long.toString(row.memoryMax()));
        } catch (InvalidNameException e) {
            throw StartFailedException.because(
                    "its record's memory_max is none that a unit can have: " + e.getMessage());
        }
    }

    private LogIntake prepare(InstanceRow row, Role role) throws StartFailedException, InterruptedException {
        LogIntake intake;
        try {
            intake = logs.open(row.host(), role);
        } catch (IOException e) {
            throw StartFailedException.because(String.valueOf(e.getMessage()));
        }
        try {
            directories.writeLaunch(row.id(), role, InstanceLaunch.of(row, role, paths));
            return intake;
        } catch (IOException | InvalidDocumentException e) {
            intake.finish(settings.logBound());
            throw StartFailedException.because("its launch file cannot be written: " + e.getMessage());
        }
    }

    private StartFailedException undone(InstanceRow row, Role role, LogIntake intake, ControlException cause)
            throws InterruptedException {
        // Before the stop: a start that is executed only after it finds nothing to run.
        directories.removeLaunch(row.id(), role);
        switch (cause.outcome()) {
            case NOTHING_RUNS, NOT_READY, EXPIRED -> {}
            // Another start of the role is under way that nobody here knows of, such as one whose answer was lost.
            case BUSY, STILL_LOADED, STOPPED, MAY_RUN -> stop(row.host(), role);
        }
        intake.finish(settings.logBound());
        directories.removeEnds(row.id(), role);
        String reason = "the control service did not start it, or did not say so: " + cause.getMessage();
        return isTheBoxToBlame(cause) ? StartFailedException.notReady(reason) : StartFailedException.because(reason);
    }

    /** A service that restarts takes answers with it, or cannot be reached; neither says anything of the instance. */
    private static boolean isTheBoxToBlame(ControlException cause) {
        ControlException.Outcome outcome = cause.outcome();
        return outcome == ControlException.Outcome.NOT_READY
                || outcome == ControlException.Outcome.EXPIRED
                || outcome == ControlException.Outcome.MAY_RUN
                || cause.getCause() instanceof IOException;
    }

    private void discard(InstanceRow row, Role role, LogIntake intake) throws InterruptedException {
        directories.removeLaunch(row.id(), role);
        intake.finish(settings.logBound());
    }

    private UnitEnd takeEnd(RunningUnit unit) throws InterruptedException {
        InvocationId invocation = unit.invocation();
        unit.log().finish(settings.logBound());
        UnitEnd end = new UnitEnd(
                directories.status(unit.id(), unit.role(), invocation),
                directories.exit(unit.id(), unit.role(), invocation));
        directories.removeLaunch(unit.id(), unit.role());
        directories.removeEnds(unit.id(), unit.role(), invocation);
        return end;
    }
}
