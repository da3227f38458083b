package io.carlos.agent.runs;

import io.carlos.model.runs.RunId;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runs that a worker has in hand: those that are executing, and those being closed without being executed. Safe from
 * many threads; every call takes effect at one moment, and none but {@link #awaitNone} waits. It guarantees that
 *
 * <ul>
 *   <li>of all executions that begin for a run, one does until it ends; so with closings. A run may be executing and closing
 *       at once, which happens when the clock went back, and neither's end is the other's;
 *   <li>{@link #refuseMore} returns every execution that has begun and not ended, and nothing begins after it: no
 *       execution goes on unseen by whoever stops them all;
 *   <li>the task of every execution that is in hand at {@link #giveUp} is returned by it, or else refused by {@link
 *       #started}: its caller is told to interrupt it;
 *   <li>{@link #awaitNone} does not miss the last end.
 * </ul>
 *
 * @param <E> an execution, known by its identity
 */
final class RunsInHand<E> {
    private final Scheduler scheduler;
    private final Lock lock;
    private final Condition changed;
    private final Map<RunId, Executing<E>> executing = new HashMap<>();
    private final Set<RunId> closing = new HashSet<>();
    private boolean refusing;
    private boolean givenUp;

    RunsInHand(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.lock = scheduler.newLock();
        this.changed = lock.newCondition();
    }

    /** @param task null until it is known */
    private record Executing<E>(E execution, @Nullable Task task) {}

    /** @return whether the execution may begin; then {@link #endExecution} must follow */
    boolean beginExecution(RunId id, E execution) {
        return inOneStep(() -> !refusing && executing.putIfAbsent(id, new Executing<>(execution, null)) == null);
    }

    /**
     * Makes the task of an execution known, which may have ended by now.
     *
     * @return whether the task may go on; when not, it was given up and the caller must interrupt it
     */
    boolean started(RunId id, E execution, Task task) {
        return inOneStep(() -> {
            Executing<E> entry = executing.get(id);
            if (entry == null || entry.execution() != execution) {
                return true; // it has ended, and what is there now is a later one
            }
            executing.put(id, new Executing<>(execution, task));
            return !givenUp;
        });
    }

    void endExecution(RunId id) {
        inOneStep(() -> executing.remove(id));
    }

    /** @return whether the closing may begin; then {@link #endClosing} must follow */
    boolean beginClosing(RunId id) {
        return inOneStep(() -> !refusing && closing.add(id));
    }

    void endClosing(RunId id) {
        inOneStep(() -> closing.remove(id));
    }

    /** The execution of a run, if it is executing. */
    Optional<E> execution(RunId id) {
        return inOneStep(() -> Optional.ofNullable(executing.get(id)).map(Executing::execution));
    }

    Set<RunId> executing() {
        return inOneStep(() -> Set.copyOf(executing.keySet()));
    }

    Set<RunId> closing() {
        return inOneStep(() -> Set.copyOf(closing));
    }

    /**
     * Lets nothing begin from now on.
     *
     * @return what is executing
     */
    List<E> refuseMore() {
        return inOneStep(() -> {
            refusing = true;
            return executing.values().stream().map(Executing::execution).toList();
        });
    }

    /**
     * Gives up what is executing, and has {@link #started} do so with what is not known yet.
     *
     * @return the tasks to interrupt
     */
    List<Task> giveUp() {
        return inOneStep(() -> {
            givenUp = true;
            return executing.values().stream()
                    .flatMap(entry -> Stream.ofNullable(entry.task()))
                    .toList();
        });
    }

    /**
     * Waits until nothing is in hand.
     *
     * @return whether it came to that within the bound
     */
    boolean awaitNone(Duration bound) throws InterruptedException {
        long until = scheduler.nanoTime() + bound.toNanos();
        lock.lock();
        try {
            while (!executing.isEmpty() || !closing.isEmpty()) {
                long left = until - scheduler.nanoTime();
                if (left <= 0) {
                    return false;
                }
                changed.await(left, TimeUnit.NANOSECONDS);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes who waits after every step: most are an end, and a wake-up for nothing is cheap. */
    private <T extends @Nullable Object> T inOneStep(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }
}
