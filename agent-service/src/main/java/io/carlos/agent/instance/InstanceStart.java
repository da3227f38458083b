package io.carlos.agent.instance;

import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How an instance is started: box ready, directories, seed when one is due, then the program, until its socket takes a connection. Whatever
 * fails, nothing of the attempt is left when the failure is thrown.
 */
final class InstanceStart {
    private final Units units;
    private final InstanceSettings settings;
    private final Scheduler scheduler;

    /** Told how far a start is, by the thread that starts. */
    interface Progress {
        void at(InstanceState state);

        /** @throws IOException when it could not be made durable: then the seed does not count */
        void seeded() throws IOException;

        /** Whether somebody wants the instance stopped, so that the start gives up. */
        boolean isCancelled();

        /**
         * Does something while nothing else of the instance runs, no command either, and none can begin.
         *
         * @return false when something does, and the task was not done
         */
        boolean ifAlone(IoTask task) throws IOException;
    }

    InstanceStart(Units units, InstanceSettings settings, Scheduler scheduler) {
        this.units = units;
        this.settings = settings;
        this.scheduler = scheduler;
    }

    RunningUnit start(InstanceRow row, Progress progress) throws StartFailedException, InterruptedException {
        checkNotCancelled(progress);
        units.requireReady();
        prepareDirectories(row.id(), progress);
        if (row.needsSeed()) {
            seed(row, progress);
        }
        progress.at(InstanceState.STARTING);
        checkNotCancelled(progress);
        return awaited(
                units.start(row, Role.RUN, progress::isCancelled),
                unit -> AppSocket.takesConnections(units.directories().appSocket(unit.id())),
                "its socket took a connection",
                progress);
    }

    RunningUnit startSidecar(InstanceRow row, Progress progress) throws StartFailedException, InterruptedException {
        checkNotCancelled(progress);
        units.requireReady();
        return awaited(
                units.start(row, Role.SIDECAR, progress::isCancelled), units::isUnderWay, "it came to run", progress);
    }

    private void prepareDirectories(InstanceId id, Progress progress) throws StartFailedException {
        InstanceDirectories directories = units.directories();
        try {
            directories.make(id);
            if (!progress.ifAlone(() -> directories.clearRun(id))) {
                directories.removeAppSocket(id);
            }
        } catch (IOException e) {
            throw StartFailedException.because("its directories cannot be made: " + e.getMessage());
        }
    }

    private void seed(InstanceRow row, Progress progress) throws StartFailedException, InterruptedException {
        progress.at(InstanceState.SEEDING);
        Units.SeedEnd end = units.seed(row, progress::isCancelled);
        // One that was told to end may say that it exited with 0, and has not done its work.
        checkNotCancelled(progress);
        if (!end.succeeded()) {
            throw StartFailedException.because("its seed " + end.words());
        }
        try {
            progress.seeded();
        } catch (IOException e) {
            throw StartFailedException.because("its seed succeeded and could not be noted: " + e.getMessage());
        }
    }

    private RunningUnit awaited(RunningUnit unit, Predicate<RunningUnit> isThere, String event, Progress progress)
            throws StartFailedException, InterruptedException {
        Duration bound = settings.acceptBound();
        long until = scheduler.nanoTime() + bound.toNanos();
        while (!isThere.test(unit)) {
            if (units.seemsEnded(unit)) {
                String words = units.end(unit).words();
                checkNotCancelled(progress);
                throw StartFailedException.because("the program " + words + " before " + event);
            }
            if (progress.isCancelled()) {
                units.end(unit);
                throw StartFailedException.stoppedMeanwhile();
            }
            if (scheduler.nanoTime() - until >= 0) {
                units.end(unit);
                throw StartFailedException.because(
                        "the program was stopped: within " + bound.toSeconds() + " s it was not seen that " + event);
            }
            scheduler.sleep(settings.acceptInterval());
        }
        return unit;
    }

    private static void checkNotCancelled(Progress progress) throws StartFailedException {
        if (progress.isCancelled()) {
            throw StartFailedException.stoppedMeanwhile();
        }
    }
}
