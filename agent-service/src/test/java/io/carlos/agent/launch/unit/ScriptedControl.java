package io.carlos.agent.launch.unit;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Answers each verb by the next step of its script, and well when that is over. No command runs. */
final class ScriptedControl implements ControlChannel {
    static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");

    private final List<String> calls = new ArrayList<>();
    private final Queue<Step<InvocationId>> starts = new ArrayDeque<>();
    private final Queue<Step<CmdAnswer>> polls = new ArrayDeque<>();
    private final Queue<Step<Void>> stops = new ArrayDeque<>();
    private final Queue<Step<Void>> resets = new ArrayDeque<>();

    /** What comes of one call. */
    @FunctionalInterface
    interface Step<T> {
        T run() throws ControlException, InterruptedException;
    }

    static <T> Step<T> failing(ControlException.Outcome outcome) {
        return () -> {
            throw new ControlException(outcome, "a scripted failure");
        };
    }

    void onStart(Step<InvocationId> step) {
        starts.add(step);
    }

    void onPoll(Step<CmdAnswer> step) {
        polls.add(step);
    }

    void onStop(Step<Void> step) {
        stops.add(step);
    }

    void onReset(Step<Void> step) {
        resets.add(step);
    }

    /** The names of the verbs that were called, in order. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    private <T> T next(String verb, Queue<Step<T>> script, T otherwise) throws ControlException, InterruptedException {
        calls.add(verb);
        Step<T> step = script.poll();
        return step == null ? otherwise : step.run();
    }

    @Override
    public InvocationId startCmd(Host host, MemoryTier memory) throws ControlException, InterruptedException {
        return next("start", starts, INVOCATION);
    }

    @Override
    public CmdAnswer awaitCmd(Host host, InvocationId invocation, Duration wait)
            throws ControlException, InterruptedException {
        return next("poll", polls, CmdAnswer.done(INVOCATION, "success", 0, MainCode.EXITED));
    }

    @Override
    public void stop(Host host, Role role) throws ControlException, InterruptedException {
        next("stop", stops, null);
    }

    @Override
    public InvocationId start(Host host, Role role, MemoryTier memory) {
        throw new UnsupportedOperationException("start");
    }

    @Override
    public SeedAnswer seed(Host host, MemoryTier memory) {
        throw new UnsupportedOperationException("seed");
    }

    @Override
    public void reset(Host host, Role role) throws ControlException, InterruptedException {
        next("reset", resets, null);
    }

    @Override
    public List<String> sweep() {
        throw new UnsupportedOperationException("sweep");
    }

    @Override
    public ProbeReport probe() {
        throw new UnsupportedOperationException("probe");
    }
}
