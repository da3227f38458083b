package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.control.UnsweptException;
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
import io.carlos.model.names.UnitName;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A box whose units are played in memory; it keeps what was asked of it. Programs come to run and serve unless told otherwise. */
final class RecordingControlChannel implements ControlChannel {
    static final ProbeReport READY = new ProbeReport(List.of(new ProbeLine("pid1", ProbeLine.Verdict.OK, "1")));

    private final BoxPaths paths;
    private final List<String> calls = new ArrayList<>();
    private final List<PlayedUnit> started = new ArrayList<>();
    private final Map<Role, Consumer<PlayedUnit>> programs = new EnumMap<>(Role.class);
    private final Map<String, Deque<Failure>> failures = new HashMap<>();
    private final Set<String> failed = new HashSet<>();
    private final Set<UnitName> clinging = new HashSet<>();
    private final AtomicInteger invocations = new AtomicInteger();
    private ProbeReport report = READY;
    private String seedResult = "success";
    private Runnable whileProbed = () -> {};
    private Runnable beforeStops = () -> {};
    private Runnable whileSwept = () -> {};

    private record Failure(
            Outcome outcome,
            boolean startsAllTheSame,
            @Nullable IOException cause) {}

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

    /** What happens while the next report is asked for. */
    synchronized void whenProbed(Runnable told) {
        whileProbed = told;
    }

    synchronized void seedsEndWith(String result) {
        seedResult = result;
    }

    /** Done at the beginning of each stop. */
    synchronized void beforeStops(Runnable look) {
        beforeStops = look;
    }

    /** @param verb start, seed, stop, reset, sweep or probe */
    synchronized void failNext(String verb, Outcome outcome) {
        failures.computeIfAbsent(verb, v -> new ArrayDeque<>()).add(new Failure(outcome, false, null));
    }

    /** The next call of that verb is answered with a failure, and does what it was asked. */
    synchronized void failNextThatRuns(String verb, Outcome outcome) {
        failures.computeIfAbsent(verb, v -> new ArrayDeque<>()).add(new Failure(outcome, true, null));
    }

    /** The next call of that verb finds no control service. */
    synchronized void failToReach(String verb) {
        failures.computeIfAbsent(verb, v -> new ArrayDeque<>())
                .add(new Failure(Outcome.NOTHING_RUNS, false, new ConnectException()));
    }

    /** The next call of that verb is not answered. */
    synchronized void hangUp(String verb) {
        failures.computeIfAbsent(verb, v -> new ArrayDeque<>())
                .add(new Failure(Outcome.MAY_RUN, false, new EOFException()));
    }

    /** From now on these units outlive sweeps and stops, until they are given up. */
    synchronized void cling(UnitName... units) {
        clinging.addAll(List.of(units));
    }

    synchronized void letGo() {
        clinging.clear();
    }

    /** What happens while units are being swept, before they are stopped. */
    synchronized void whenSwept(Runnable told) {
        whileSwept = told;
    }

    /** Without looks at the probe, and without resets, which belong to stops. */
    synchronized List<String> calls() {
        return calls.stream()
                .filter(call -> !call.equals("probe") && !call.startsWith("reset"))
                .toList();
    }

    synchronized boolean wasReset(Host host, Role role) {
        return calls.contains("reset " + role + " " + host);
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
        if (failure != null && !failure.startsAllTheSame()) {
            throw exception(failure);
        }
        PlayedUnit unit = play(host, Role.SEED);
        while (!unit.hasEnded()) {
            Thread.sleep(5);
        }
        if (failure != null) {
            throw exception(failure);
        }
        synchronized (this) {
            return new SeedAnswer(unit.invocation(), seedResult, 0, MainCode.EXITED);
        }
    }

    /** Where systemd would start a unit that failed once more, this one refuses it, as it is with commands. */
    private PlayedUnit play(Host host, Role role) throws ControlException {
        synchronized (this) {
            if (failed.contains(role + " " + host)) {
                throw new ControlException(Outcome.BUSY, role + " " + host + ": it failed, and was not reset");
            }
        }
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
        Runnable look;
        synchronized (this) {
            look = beforeStops;
        }
        look.run();
        Failure failure = record("stop", "stop " + role + " " + host);
        if (failure != null) {
            throw exception(failure);
        }
        if (clings(UnitName.of(role, host))) {
            throw new ControlException(Outcome.MAY_RUN, "processes remain in " + role + " " + host);
        }
        for (PlayedUnit unit : running()) {
            if (unit.host().equals(host) && unit.role() == role) {
                unit.stop();
            }
        }
        noteFailures();
    }

    /** Systemd keeps a unit that failed, also when it is stopped. */
    private synchronized void noteFailures() {
        for (PlayedUnit unit : started) {
            if (unit.takeFailure()) {
                failed.add(unit.toString());
            }
        }
    }

    @Override
    public void reset(Host host, Role role) throws ControlException {
        noteFailures();
        Failure failure = record("reset", "reset " + role + " " + host);
        if (failure != null) {
            throw exception(failure);
        }
        synchronized (this) {
            failed.remove(role + " " + host);
        }
    }

    @Override
    public List<String> sweep() throws ControlException {
        Failure failure = record("sweep", "sweep");
        Runnable told;
        synchronized (this) {
            told = whileSwept;
        }
        told.run();
        if (failure != null) {
            throw exception(failure);
        }
        running().stream()
                .filter(unit -> !clings(UnitName.of(unit.role(), unit.host())))
                .forEach(PlayedUnit::vanish);
        synchronized (this) {
            if (!clinging.isEmpty()) {
                throw new UnsweptException("played units that do not stop: " + clinging, clinging);
            }
        }
        return List.of();
    }

    private synchronized boolean clings(UnitName unit) {
        return clinging.contains(unit);
    }

    @Override
    public ProbeReport probe() throws ControlException {
        Failure failure = record("probe", "probe");
        Runnable told;
        synchronized (this) {
            told = whileProbed;
            whileProbed = () -> {};
        }
        told.run();
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
        String message = "played failure " + failure.outcome();
        return failure.cause() == null
                ? new ControlException(failure.outcome(), message)
                : new ControlException(failure.outcome(), message, failure.cause());
    }
}
