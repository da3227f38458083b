package io.carlos.agent.runs;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.OutputSink;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.time.Scheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A command whose script is told; a stop ends the script at its next sleep, with signal 15. */
final class ScriptedCommand implements LaunchedRun {
    private final Scheduler scheduler;
    private final OutputSink output;
    private final Lock lock;
    private final Condition changed;
    private final List<Duration> stops = new ArrayList<>();
    private CommandEnd ownEnd = new CommandEnd.Exited(0, "");
    private CommandEnd stoppedEnd = new CommandEnd.Killed(15, "");
    private CommandEnd end;
    private boolean stopped;
    private int failingStops;
    private int failingWaits;

    /** What the command does; when it returns, the command has exited. */
    @FunctionalInterface
    interface Script {
        void play(ScriptedCommand command) throws InterruptedException;
    }

    ScriptedCommand(Scheduler scheduler, OutputSink output) {
        this.scheduler = scheduler;
        this.output = output;
        this.lock = scheduler.newLock();
        this.changed = lock.newCondition();
    }

    void start(Script script) {
        scheduler.fork("command", () -> {
            CommandEnd how;
            try {
                script.play(this);
                how = ownEnd;
            } catch (InterruptedException e) {
                how = stoppedEnd;
            }
            lock.lock();
            end = how;
            changed.signalAll();
            lock.unlock();
        });
    }

    void print(OutputChannel channel, String text) throws InterruptedException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.write(channel, bytes, 0, bytes.length);
    }

    void sleep(Duration duration) throws InterruptedException {
        long until = scheduler.nanoTime() + duration.toNanos();
        lock.lock();
        try {
            while (!stopped && scheduler.nanoTime() < until) {
                changed.await(until - scheduler.nanoTime(), TimeUnit.NANOSECONDS);
            }
            if (stopped) {
                throw new InterruptedException("SIGTERM");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Runs until somebody stops it. */
    void hang() throws InterruptedException {
        sleep(Duration.ofDays(1));
    }

    /** How the command ends when its script has been played. */
    void endsBy(CommandEnd how) {
        ownEnd = how;
    }

    /** How the command ends when it is stopped. */
    void endsWhenStoppedBy(CommandEnd how) {
        stoppedEnd = how;
    }

    /** The next stops fail. */
    void failStops(int count) {
        failingStops = count;
    }

    /** The next waits for the end fail. */
    void failWaits(int count) {
        failingWaits = count;
    }

    /** The grace of each stop, failed ones too. */
    List<Duration> stops() {
        return stops;
    }

    @Override
    public Optional<CommandEnd> awaitEnd(Duration wait) throws InterruptedException {
        if (failingWaits-- > 0) {
            throw new IllegalStateException("told to fail");
        }
        long until = scheduler.nanoTime() + wait.toNanos();
        lock.lock();
        try {
            while (end == null && scheduler.nanoTime() < until) {
                changed.await(until - scheduler.nanoTime(), TimeUnit.NANOSECONDS);
            }
            return Optional.ofNullable(end);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CommandEnd stop(Duration grace) throws InterruptedException {
        stops.add(grace);
        if (failingStops-- > 0) {
            throw new IllegalStateException("told to fail");
        }
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
            while (end == null) {
                changed.await();
            }
            return end;
        } finally {
            lock.unlock();
        }
    }
}
