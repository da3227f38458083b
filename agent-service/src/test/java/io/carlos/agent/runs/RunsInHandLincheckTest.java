package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.runs.RunId;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import io.carlos.model.time.SystemScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Whatever begins, ends and stops at the same time, every answer is that of some order of the calls. */
class RunsInHandLincheckTest {
    @Test
    void everyInterleavingIsAnOrderOfTheCalls() {
        options().check(Guarded.class);
    }

    @Test
    void withLocksThatExcludeNobodyAnInterleavingIsFoundThatIsNoOrderOfTheCalls() {
        assertThatThrownBy(() -> options().check(Unguarded.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(60)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .sequentialSpecification(OneThread.class);
    }

    public static final class Guarded extends Calls {
        public Guarded() {
            super(new SystemScheduler());
        }
    }

    /** Each step looks first and acts later, as code without a lock does. */
    public static final class Unguarded extends Calls {
        public Unguarded() {
            super(new Lockless());
        }
    }

    @Param(name = "run", gen = IntGen.class, conf = "0:1")
    public abstract static class Calls {
        private static final List<RunId> RUNS =
                List.of(RunId.of("run_" + "a".repeat(26)), RunId.of("run_" + "b".repeat(26)));
        private static final List<String> EXECUTIONS = List.of("a", "b");
        private static final Task TASK = new NoTask();

        private final RunsInHand<String> inHand;

        Calls(Scheduler scheduler) {
            inHand = new RunsInHand<>(scheduler);
        }

        @Operation
        public boolean beginExecution(@Param(name = "run") int run) {
            return inHand.beginExecution(RUNS.get(run), EXECUTIONS.get(run));
        }

        @Operation
        public boolean started(@Param(name = "run") int run) {
            return inHand.started(RUNS.get(run), EXECUTIONS.get(run), TASK);
        }

        @Operation
        public void endExecution(@Param(name = "run") int run) {
            inHand.endExecution(RUNS.get(run));
        }

        @Operation
        public boolean beginClosing(@Param(name = "run") int run) {
            return inHand.beginClosing(RUNS.get(run));
        }

        @Operation
        public void endClosing(@Param(name = "run") int run) {
            inHand.endClosing(RUNS.get(run));
        }

        @Operation
        public boolean isExecuting(@Param(name = "run") int run) {
            return inHand.execution(RUNS.get(run)).isPresent();
        }

        @Operation
        public int executing() {
            return inHand.executing().size();
        }

        @Operation
        public int refuseMore() {
            return inHand.refuseMore().size();
        }

        @Operation
        public int giveUp() {
            return inHand.giveUp().size();
        }

        /** A wait whose time is over before it begins only looks. */
        @Operation
        public boolean isNone() throws InterruptedException {
            return inHand.awaitNone(Duration.ofSeconds(-1));
        }
    }

    /** The promise for one thread. */
    public static final class OneThread {
        private final Map<Integer, Boolean> executing = new HashMap<>();
        private final Set<Integer> closing = new HashSet<>();
        private boolean refusing;
        private boolean givenUp;

        public boolean beginExecution(int run) {
            return !refusing && executing.putIfAbsent(run, false) == null;
        }

        public boolean started(int run) {
            return executing.replace(run, true) == null || !givenUp;
        }

        public void endExecution(int run) {
            executing.remove(run);
        }

        public boolean beginClosing(int run) {
            return !refusing && closing.add(run);
        }

        public void endClosing(int run) {
            closing.remove(run);
        }

        public boolean isExecuting(int run) {
            return executing.containsKey(run);
        }

        public int executing() {
            return executing.size();
        }

        public int refuseMore() {
            refusing = true;
            return executing.size();
        }

        public int giveUp() {
            givenUp = true;
            return (int) executing.values().stream().filter(known -> known).count();
        }

        public boolean isNone() {
            return executing.isEmpty() && closing.isEmpty();
        }
    }

    private static final class NoTask implements Task {
        @Override
        public void interrupt() {}

        @Override
        public void join() {}
    }

    private static final class Lockless implements Scheduler {
        private final Scheduler machine = new SystemScheduler();

        @Override
        public Instant now() {
            return machine.now();
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            machine.sleep(duration);
        }

        @Override
        public Task fork(String name, Runnable body) {
            return machine.fork(name, body);
        }

        @Override
        public Lock newLock() {
            return new OpenLock();
        }
    }

    /** Lets everybody in. */
    private static final class OpenLock implements Lock {
        @Override
        public void lock() {}

        @Override
        public void lockInterruptibly() {}

        @Override
        public boolean tryLock() {
            return true;
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            return true;
        }

        @Override
        public void unlock() {}

        @Override
        public Condition newCondition() {
            return new SilentCondition();
        }
    }

    private static final class SilentCondition implements Condition {
        @Override
        public void await() {}

        @Override
        public void awaitUninterruptibly() {}

        @Override
        public long awaitNanos(long nanos) {
            return 0;
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
            return false;
        }

        @Override
        public boolean awaitUntil(java.util.Date deadline) {
            return false;
        }

        @Override
        public void signal() {}

        @Override
        public void signalAll() {}
    }
}
