package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A box whose units are played in memory; it keeps what was asked of it. Programs come to run and serve unless told otherwise. */
final class RecordingControlChannel implements ControlChannel {
    static final ProbeReport READY = new ProbeReport(List.of(new ProbeLine("pid1", ProbeLine.Verdict.OK, "1")));

    private final BoxPaths paths;
    private final List<String> calls = new ArrayList<>();
    private final List<PlayedUnit> started = new ArrayList<>();
    private final Map<Role, Consumer<PlayedUnit>> programs = new EnumMap<>(Role.class);
    private final Map<String, Deque<Failure>> failures = new HashMap<>();
    private final AtomicInteger invocations = new AtomicInteger();
    private ProbeReport report = READY;
    private String seedResult = "success";

    private record Failure(Outcome outcome, boolean startsAllTheSame) {}

    RecordingControlChannel(BoxPaths paths) {
        this.paths = paths;
        programs.put(Role.RUN, unit -> {
            unit.comeToRun();
            unit.serve();
        });
        programs.put(Role.SIDECAR, PlayedUnit::comeToRun);
        programs.put(Role.SEED, unit -> unit.exit(0));
    }

    /** What programs of that role do when they are started. */
    synchronized void program(Role role, Consumer<PlayedUnit> program) {
        programs.put(role, program);
    }

    synchronized void probeFinds(ProbeReport found) {
        report = found;
    }

    synchronized void seedsEndWith(String result) {
        seedResult = result;
    }

    /** @param verb start, seed, stop, sweep or probe */
    synchronized void failNext(String verb, Outcome outcome) {
        failures.computeIfAbsent(verb, v -> new ArrayDeque<>()).add(new Failure(outcome, false));
    }

    /** The next start is answered with a failure, and runs. */
    synchronized void failNextStartThatRuns(Outcome outcome) {
        failures.computeIfAbsent("start", v -> new ArrayDeque<>()).add(new Failure(outcome, true));
    }

    /** Without looks at the probe. */
    synchronized List<String> calls() {
        return calls.stream().filter(call -> !call.equals("probe")).toList();
    }

    synchronized boolean wasProbed() {
        return calls.contains("probe");
    }

    /** Units that were started and have not ended. */
    synchronized List<PlayedUnit> running() {
        return started.stream().filter(unit -> !unit.hasEnded()).toList();
    }

    synchronized PlayedUnit newest() {
        return started.getLast();
    }

    @Override
    public InvocationId start(Host host, Role role, MemoryTier memory) throws ControlException {
        Failure failure = record("start", "start " + role + " " + host);
        if (failure != null && !failure.startsAllTheSame()) {
            throw exception(failure);
        }
        PlayedUnit unit = play(host, role);
        if (failure != null) {
            throw exception(failure);
        }
        return unit.invocation();
    }

    @Override
    public SeedAnswer seed(Host host, MemoryTier memory) throws ControlException, InterruptedException {
        Failure failure = record("seed", "seed " + host);
        if (failure != null) {
            throw exception(failure);
        }
        PlayedUnit unit = play(host, Role.SEED);
        while (!unit.hasEnded()) {
            Thread.sleep(5);
        }
        synchronized (this) {
            return new SeedAnswer(unit.invocation(), seedResult, 0, MainCode.EXITED);
        }
    }

    private PlayedUnit play(Host host, Role role) {
        InvocationId invocation = InvocationId.of("%032x".formatted(invocations.incrementAndGet()));
        PlayedUnit unit = new PlayedUnit(paths, host, role, invocation);
        Consumer<PlayedUnit> program;
        synchronized (this) {
            started.add(unit);
            program = programs.get(role);
        }
        program.accept(unit);
        return unit;
    }

    @Override
    public InvocationId startCmd(Host host, MemoryTier memory) {
        throw new UnsupportedOperationException("commands are the launcher's");
    }

    @Override
    public CmdAnswer awaitCmd(Host host, InvocationId invocation, Duration wait) {
        throw new UnsupportedOperationException("commands are the launcher's");
    }

    @Override
    public void stop(Host host, Role role) throws ControlException {
        Failure failure = record("stop", "stop " + role + " " + host);
        if (failure != null) {
            throw exception(failure);
        }
        for (PlayedUnit unit : running()) {
            if (unit.host().equals(host) && unit.role() == role) {
                unit.stop();
            }
        }
    }

    @Override
    public void reset(Host host, Role role) {
        throw new UnsupportedOperationException("nothing is reset");
    }

    @Override
    public List<String> sweep() throws ControlException {
        Failure failure = record("sweep", "sweep");
        if (failure != null) {
            throw exception(failure);
        }
        running().forEach(PlayedUnit::vanish);
        return List.of();
    }

    @Override
    public ProbeReport probe() throws ControlException {
        Failure failure = record("probe", "probe");
        if (failure != null) {
            throw exception(failure);
        }
        synchronized (this) {
            return report;
        }
    }

    private synchronized Failure record(String verb, String call) {
        calls.add(call);
        Deque<Failure> queue = failures.get(verb);
        return queue == null ? null : queue.poll();
    }

    private static ControlException exception(Failure failure) {
        return new ControlException(failure.outcome(), "played failure " + failure.outcome());
    }
}
