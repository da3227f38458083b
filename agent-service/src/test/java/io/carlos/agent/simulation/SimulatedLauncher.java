package io.carlos.agent.simulation;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.runs.RunId;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SimulatedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Runs scripts in place of commands, and tells the ledger of each launch. */
final class SimulatedLauncher implements RunLauncher {
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;

    private final World world;
    private final SimulatedProcess process;

    private final Remains remains;
    private final String bootId;

    SimulatedLauncher(World world, SimulatedProcess process, Remains remains, String bootId) {
        this.world = world;
        this.process = process;
        this.remains = remains;
        this.bootId = bootId;
    }

    @Override
    public LaunchOutcome launch(LaunchRequest request, OutputSink output) {
        world.ledger().launchBegins(request.id());
        world.crashPoint(process, "before launch " + request.id());
        Random random = world.random();
        if (random.nextInt(30) == 0) {
            return new LaunchOutcome.Refused(LaunchOutcome.Reason.WAKE, "simulated");
        }
        if (random.nextInt(30) == 0) {
            return new LaunchOutcome.Failed("simulated", new IOException("simulated"));
        }
        if (random.nextInt(30) == 0) {
            return new LaunchOutcome.Interrupted("simulated: the instance stopped");
        }
        world.pause(Duration.ofMillis(1 + random.nextInt(random.nextInt(10) == 0 ? 60_000 : 300)));
        world.ledger().launched(request.id());
        remains.began(request.id(), bootId); // and stays there when the agent is killed
        if (remains.commandsOf(bootId) > world.room()) {
            throw new AssertionError(bootId + " executes more than " + world.room() + " at once");
        }
        Command command = new Command(request.id(), Script.draw(random), output);
        world.crashPoint(process, "after launch " + request.id());
        return new LaunchOutcome.Started(command);
    }

    private final class Command implements LaunchedRun {
        private final RunId id;
        private final Script script;
        private final OutputSink output;
        private final Lock lock = process.newLock();
        private final Condition changed = lock.newCondition();
        private final Scheduler.Task task;
        private CommandEnd end;
        private boolean streamsEnded;
        private int signal;

        Command(RunId id, Script script, OutputSink output) {
            this.id = id;
            this.script = script;
            this.output = output;
            this.task = process.fork("command " + id, this::play);
        }

        private void play() {
            for (Script.Write write : script.writes()) {
                if (!sleptUnsignalled(write.after())) {
                    break;
                }
                world.ledger().written(id, write.channel(), write.bytes());
                try {
                    output.write(write.channel(), write.bytes(), 0, write.bytes().length);
                } catch (InterruptedException e) {
                    world.trace("output closed: " + id);
                    break;
                }
            }
            remains.ended(id);
            world.ledger().commandEnded(id);
            lock.lock();
            try {
                end = signal == 0 ? new CommandEnd.Exited(script.status(), "") : new CommandEnd.Killed(signal, "");
                streamsEnded = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** A signal interrupts the sleep, never a write: bytes in the pipe are the run's. */
        private boolean sleptUnsignalled(Duration duration) {
            long until = process.nanoTime() + duration.toNanos();
            lock.lock();
            try {
                while (!isSignalled() && process.nanoTime() < until) {
                    changed.await(until - process.nanoTime(), TimeUnit.NANOSECONDS);
                }
                return !isSignalled();
            } catch (InterruptedException e) {
                return false;
            } finally {
                lock.unlock();
            }
        }

        private boolean isSignalled() {
            return signal == SIGKILL || (signal == SIGTERM && script.obeysTerm());
        }

        @Override
        public Optional<CommandEnd> awaitEnd(Duration wait) throws InterruptedException {
            long until = process.nanoTime() + wait.toNanos();
            lock.lock();
            try {
                while (end == null && process.nanoTime() < until) {
                    changed.await(until - process.nanoTime(), TimeUnit.NANOSECONDS);
                }
                return Optional.ofNullable(end);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public CommandEnd stop(Duration grace) throws InterruptedException {
            world.crashPoint(process, "stop " + id);
            if (world.random().nextInt(20) == 0) {
                throw new IllegalStateException("simulated: the stop failed");
            }
            send(SIGTERM);
            if (awaitEnd(grace).isEmpty()) {
                send(SIGKILL);
            }
            lock.lock();
            try {
                while (!streamsEnded) {
                    changed.await();
                }
                return end;
            } finally {
                lock.unlock();
            }
        }

        private void send(int number) {
            lock.lock();
            try {
                if (end == null && signal != SIGKILL) {
                    signal = number;
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
