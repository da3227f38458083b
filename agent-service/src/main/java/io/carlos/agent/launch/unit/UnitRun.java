package io.carlos.agent.launch.unit;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.ControlApi;
import io.carlos.model.files.StatusFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command whose unit was started. It goes on while the control service is away, and is asked about again when that is
 * back.
 */
final class UnitRun implements LaunchedRun {
    private static final Logger log = LoggerFactory.getLogger(UnitRun.class);

    /** Between two questions, which the control service itself answers only when something has changed. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final UnitCommand command;
    private final InvocationId invocation;
    private final ControlChannel control;
    private final Scheduler scheduler;

    private final ReentrantLock ending = new ReentrantLock();
    private @Nullable CommandEnd end;

    private final ReentrantLock stopping = new ReentrantLock();
    private @Nullable CommandEnd settled;

    UnitRun(UnitCommand command, InvocationId invocation, ControlChannel control, Scheduler scheduler) {
        this.command = command;
        this.invocation = invocation;
        this.control = control;
        this.scheduler = scheduler;
    }

    @Override
    public Optional<CommandEnd> awaitEnd(Duration wait) throws InterruptedException {
        long deadline = scheduler.nanoTime() + wait.toNanos();
        while (true) {
            Duration pause = PAUSE;
            try {
                Optional<CommandEnd> known = look(Duration.ofNanos(deadline - scheduler.nanoTime()));
                if (known.isPresent()) {
                    return known;
                }
            } catch (ControlException e) {
                log.warn("launch: {}: not followed, trying again: {}", command, e.getMessage());
                pause = PAUSE_AFTER_FAILURE;
            }
            Duration left = Duration.ofNanos(deadline - scheduler.nanoTime());
            if (!left.isPositive()) {
                return Optional.empty();
            }
            scheduler.sleep(left.compareTo(pause) < 0 ? left : pause);
        }
    }

    private Optional<CommandEnd> look(Duration left) throws ControlException, InterruptedException {
        Optional<CommandEnd> known = knownEnd();
        if (known.isPresent()) {
            return known;
        }
        CmdAnswer answer = control.awaitCmd(command.host(), invocation, clamp(left));
        return switch (answer.state()) {
            case RUNNING -> Optional.empty();
            case DONE -> Optional.of(endBy(answer));
            case GONE -> {
                // It says nothing of processes, which the end of a stop does.
                control.stop(command.host(), Role.CMD);
                yield Optional.of(endBy(null));
            }
        };
    }

    private static Duration clamp(Duration wait) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(ControlApi.MAX_WAIT) < 0 ? wait : ControlApi.MAX_WAIT;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The grace is the control service's own, whatever is given: 20 seconds between SIGTERM and SIGKILL. The
     * namespace of a command ends with it, so its descendants never outlive it.
     */
    @Override
    public CommandEnd stop(Duration grace) throws InterruptedException {
        stopping.lockInterruptibly();
        try {
            CommandEnd known = settled;
            if (known == null) {
                known = settle();
                settled = known;
            }
            return known;
        } finally {
            stopping.unlock();
        }
    }

    private CommandEnd settle() throws InterruptedException {
        try {
            look(Duration.ZERO); // what systemd knows of an end is gone with the stop
        } catch (ControlException | RuntimeException e) {
            log.debug("launch: {}: its end was not seen: {}", command, e.getMessage());
        }
        command.stopUnit();
        CommandEnd own = endBy(null);
        List<String> notes = new ArrayList<>(List.of(own.note()));
        notes.addAll(command.finishStreams());
        command.removeFiles(invocation);
        command.release();
        notes.removeIf(String::isEmpty);
        return own.withNote(String.join("; ", notes));
    }

    private Optional<CommandEnd> knownEnd() {
        ending.lock();
        try {
            return Optional.ofNullable(end);
        } finally {
            ending.unlock();
        }
    }

    /** Decides the end, once for all callers: no process of the unit is left, and {@link #settle} removes its files. */
    private CommandEnd endBy(@Nullable CmdAnswer systemd) {
        ending.lock();
        try {
            CommandEnd decided = end;
            if (decided == null) {
                decided = decide(systemd);
                end = decided;
            }
            return decided;
        } finally {
            ending.unlock();
        }
    }

    private CommandEnd decide(@Nullable CmdAnswer systemd) {
        Optional<String> interrupted = command.interruption().reason();
        try {
            Optional<StatusFile> status = command.files().status(invocation);
            return interrupted.isPresent()
                    ? CommandEnds.interrupted(interrupted.get(), status)
                    : CommandEnds.of(status, systemd);
        } catch (InvalidDocumentException e) {
            log.warn("launch: {}: its status is not believed: {}", command, e.getMessage());
            return interrupted.isPresent()
                    ? CommandEnds.interrupted(interrupted.get(), Optional.empty())
                    : new CommandEnd.Lost("its status file is not as it must be");
        } catch (IOException e) {
            throw new UncheckedIOException(command + ": its status cannot be read; ask again", e);
        }
    }
}
