package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.logs.InstanceLogs;
import io.carlos.agent.logs.LogIntake;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.files.StatusFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
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

    Units(ControlChannel channel, InstanceLogs logs, BoxPaths paths, InstanceSettings settings, Scheduler scheduler) {
        this.channel = channel;
        this.directories = new InstanceDirectories(paths);
        this.logs = logs;
        this.paths = paths;
        this.settings = settings;
        this.scheduler = scheduler;
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

    /** @param role run or sidecar */
    RunningUnit start(InstanceRow row, Role role) throws StartFailedException, InterruptedException {
        Host host = row.host();
        MemoryTier memory = memory(row);
        LogIntake intake = prepare(row, role);
        try {
            return new RunningUnit(host, role, channel.start(host, role, memory), intake);
        } catch (ControlException e) {
            throw undone(row, role, intake, e);
        }
    }

    /** @return how the seed ended, when it did not succeed */
    SeedEnd seed(InstanceRow row) throws StartFailedException, InterruptedException {
        Host host = row.host();
        MemoryTier memory = memory(row);
        LogIntake intake = prepare(row, Role.SEED);
        SeedAnswer answer;
        try {
            answer = channel.seed(host, memory);
        } catch (ControlException e) {
            throw undone(row, Role.SEED, intake, e);
        }
        UnitEnd end = takeEnd(new RunningUnit(host, Role.SEED, answer.invocationId(), intake));
        return new SeedEnd(end.isSeeded(answer.result()), end.words() + " (systemd: " + answer.result() + ")");
    }

    /** @param words fits after "the seed" */
    record SeedEnd(boolean succeeded, String words) {}

    /** Whether anything hints that the unit has ended. Its tenant can make it look so, and is stopped then. */
    boolean seemsEnded(RunningUnit unit) {
        return unit.log().hasEnded()
                || directories
                        .status(unit.id(), unit.role(), unit.invocation())
                        .filter(status -> status.cause() != StatusFile.Cause.RUNNING)
                        .isPresent()
                || directories.exit(unit.id(), unit.role(), unit.invocation()).isPresent();
    }

    /** Whether the unit's trampoline has come to its program. */
    boolean isUnderWay(RunningUnit unit) {
        return directories.status(unit.id(), unit.role(), unit.invocation()).isPresent();
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
        switch (cause.outcome()) {
            case NOTHING_RUNS, NOT_READY -> {}
            // Another start of the role is under way that nobody here knows of, such as one whose answer was lost.
            case BUSY, MAY_RUN -> stop(row.host(), role);
        }
        intake.finish(settings.logBound());
        directories.removeLaunch(row.id(), role);
        directories.removeEnds(row.id(), role);
        String reason = "the control service did not start it: " + cause.getMessage();
        return cause.outcome() == ControlException.Outcome.NOT_READY
                ? StartFailedException.notReady(reason)
                : StartFailedException.because(reason);
    }

    private UnitEnd takeEnd(RunningUnit unit) throws InterruptedException {
        InvocationId invocation = unit.invocation();
        unit.log().finish(settings.logBound());
        UnitEnd end = new UnitEnd(
                directories.status(unit.id(), unit.role(), invocation),
                directories.exit(unit.id(), unit.role(), invocation));
        directories.removeLaunch(unit.id(), unit.role());
        directories.removeEnds(unit.id(), unit.role());
        return end;
    }
}
