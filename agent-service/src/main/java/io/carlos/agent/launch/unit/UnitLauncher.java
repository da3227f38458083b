package io.carlos.agent.launch.unit;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each command as the cmd unit of its instance, isolated as the instance itself. A member's command is arguments of
 * the instance's own program, since nothing else can be started in there. One command of a host runs at a time.
 *
 * <p>A command's descendants end with it.
 */
public final class UnitLauncher implements RunLauncher {
    /** How long somebody outside of a command's unit may hold its output when the unit has ended. */
    public static final Duration DRAIN_BOUND = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(UnitLauncher.class);

    /** An instance's stop waits for a launcher that is between two tries. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final ControlChannel control;
    private final BoxPaths paths;
    private final InstanceGate gate;
    private final Scheduler scheduler;
    private final Predicate<UserPrincipal> printers;
    private final Duration drainBound;
    private final CommandUnits units;
    private final Set<Host> inHand = ConcurrentHashMap.newKeySet();

    /** @param printers whose connections carry a command's output: those of systemd, and so of root, on a box */
    public UnitLauncher(
            ControlChannel control,
            BoxPaths paths,
            InstanceGate gate,
            Scheduler scheduler,
            Predicate<UserPrincipal> printers) {
        this(control, paths, gate, scheduler, printers, DRAIN_BOUND);
    }

    UnitLauncher(
            ControlChannel control,
            BoxPaths paths,
            InstanceGate gate,
            Scheduler scheduler,
            Predicate<UserPrincipal> printers,
            Duration drainBound) {
        this.control = control;
        this.paths = paths;
        this.gate = gate;
        this.scheduler = scheduler;
        this.printers = printers;
        this.drainBound = drainBound;
        this.units = new CommandUnits(control, scheduler);
    }

    @Override
    public LaunchOutcome launch(LaunchRequest request, OutputSink output) throws InterruptedException {
        Host host = request.host();
        if (!inHand.add(host)) {
            return failed(
                    request, new IllegalStateException(host + " has a command in hand that has not been stopped"));
        }
        Interruption interruption = new Interruption("run " + request.id() + " of " + host);
        InstanceGate.Admission admission;
        try {
            units.settle(host);
            admission = gate.admit(request.record(), request.incarnation(), interruption);
        } catch (InterruptedException | RuntimeException e) {
            inHand.remove(host);
            throw e;
        }
        return switch (admission) {
            case InstanceGate.Ready ready -> launch(request, ready, interruption, output);
            case InstanceGate.Refused(LaunchOutcome.Reason reason, String detail) -> {
                inHand.remove(host);
                yield new LaunchOutcome.Refused(reason, detail);
            }
            case InstanceGate.Stopped(String reason) -> {
                inHand.remove(host);
                yield new LaunchOutcome.Interrupted(reason);
            }
        };
    }

    private LaunchOutcome launch(
            LaunchRequest request, InstanceGate.Ready ready, Interruption interruption, OutputSink output)
            throws InterruptedException {
        Host host = request.host();
        InstanceId id = InstanceId.of(host);
        Runnable release = () -> {
            inHand.remove(host);
            ready.hold().release();
        };
        CommandStreams streams;
        try {
            streams = CommandStreams.open(paths, id, printers, output);
        } catch (IOException e) {
            release.run();
            return failed(request, e);
        } catch (InterruptedException | RuntimeException e) {
            release.run();
            throw e;
        }
        UnitCommand command = new UnitCommand(
                request.id(), host, interruption, units, new CommandFiles(paths, id), streams, drainBound, release);
        try {
            return start(command, request, ready);
        } catch (InterruptedException | RuntimeException | Error e) {
            abandon(command, e);
            throw e;
        }
    }

    private LaunchOutcome start(UnitCommand command, LaunchRequest request, InstanceGate.Ready ready)
            throws InterruptedException {
        try {
            command.files().removeEnds();
            command.files().writeLaunch(launchFile(request, ready.environment()));
            LaunchOutcome outcome = startUnit(command, request, ready.memory());
            if (outcome instanceof LaunchOutcome.Started) {
                return outcome;
            }
            command.discard();
            return outcome;
        } catch (IOException | InvalidDocumentException e) {
            command.discard();
            return failed(request, e);
        }
    }

    private LaunchFile launchFile(LaunchRequest request, Map<String, String> instance) {
        List<String> argv = new ArrayList<>();
        argv.add(paths.liveBinary(request.host()).toString());
        argv.addAll(request.argv());
        return new LaunchFile(request.host(), argv, UnitEnvironment.of(request, instance, paths));
    }

    /**
     * Tries again for as long as the run is wanted and a refusal says that this start did nothing: then trying again cannot execute
     * the command twice. A unit that is still loaded is what an earlier command left: this launcher has no other of the host in
     * hand, earlier starts are settled, and no other agent is on the box. It is stopped once.
     */
    private LaunchOutcome startUnit(UnitCommand command, LaunchRequest request, MemoryTier memory)
            throws IOException, InterruptedException {
        Duration pause = FIRST_PAUSE;
        boolean isCleared = false;
        while (true) {
            try {
                return startOnce(command, request, memory);
            } catch (ControlException e) {
                switch (e.outcome()) {
                    case EXPIRED -> {}
                    case BUSY -> {
                        Optional<LaunchOutcome> executed = withdrawOther(command);
                        if (executed.isPresent()) {
                            return executed.get();
                        }
                    }
                    case STILL_LOADED -> {
                        if (isCleared) {
                            return notStarted(command, request, e);
                        }
                        isCleared = true;
                        command.stopUnit();
                        command.files().removeEnds();
                    }
                    case NOTHING_RUNS, MAY_RUN, STOPPED, NOT_READY -> {
                        return notStarted(command, request, e);
                    }
                }
                log.warn("launch: {}: its start did nothing, trying again: {}", command, e.getMessage());
            }
            scheduler.sleep(pause);
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        }
    }

    /**
     * The control service is at another start of the unit, which can only be an earlier one that was withdrawn and is being undone.
     * Whatever it is, it is stopped before the next try, and if it has executed this command there is none.
     */
    private Optional<LaunchOutcome> withdrawOther(UnitCommand command) throws IOException, InterruptedException {
        command.stopUnit();
        // What cannot be read may tell of an execution: it ends the launch.
        Optional<LaunchOutcome> executed = readExecuted(command);
        if (executed.isEmpty()) {
            command.files().removeEnds();
        }
        return executed;
    }

    private LaunchOutcome startOnce(UnitCommand command, LaunchRequest request, MemoryTier memory)
            throws ControlException, InterruptedException {
        Optional<String> before = command.interruption().reason();
        if (before.isPresent()) {
            return new LaunchOutcome.Interrupted(before.get());
        }
        if (!request.wanted().getAsBoolean()) {
            return new LaunchOutcome.Unwanted();
        }
        InvocationId invocation = units.start(command.host(), memory);
        Optional<String> interrupted = command.interruption().reason();
        if (interrupted.isEmpty()) {
            return new LaunchOutcome.Started(new UnitRun(command, invocation, control, scheduler));
        }
        // The instance's stop may have come before the unit's start, and then it has not stopped this.
        command.undoStart();
        return executed(command).orElseGet(() -> new LaunchOutcome.Interrupted(interrupted.get()));
    }

    private LaunchOutcome notStarted(UnitCommand command, LaunchRequest request, ControlException failure)
            throws InterruptedException {
        Optional<LaunchOutcome> executed = switch (failure.outcome()) {
            case MAY_RUN, STOPPED -> {
                command.undoStart();
                yield executed(command);
            }
            case NOTHING_RUNS -> executed(command);
            case BUSY, STILL_LOADED, EXPIRED, NOT_READY -> Optional.empty();
        };
        if (executed.isPresent()) {
            log.warn("launch: {}: it was executed, and is over: {}", command, failure.getMessage());
            return executed.get();
        }
        Optional<String> interrupted = command.interruption().reason();
        if (interrupted.isPresent()) {
            return new LaunchOutcome.Interrupted(interrupted.get());
        }
        if (failure.outcome() == ControlException.Outcome.NOT_READY) {
            log.warn("launch: {}: {}", command, failure.getMessage());
            return new LaunchOutcome.Refused(
                    LaunchOutcome.Reason.WAKE, "this box is not proven to isolate instances at the moment");
        }
        return failed(request, failure);
    }

    /** A command that was executed although its start failed: it is over, and has an end of its own to tell. */
    private Optional<LaunchOutcome> executed(UnitCommand command) {
        try {
            return readExecuted(command);
        } catch (IOException e) {
            log.warn("launch: {}: whether it was executed cannot be read: {}", command, e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<LaunchOutcome> readExecuted(UnitCommand command) throws IOException {
        return command.files()
                .begun()
                .map(invocation -> new LaunchOutcome.Started(new UnitRun(command, invocation, control, scheduler)));
    }

    /** Whoever asked has gone, and nobody follows what may have been started. */
    private static void abandon(UnitCommand command, Throwable cause) {
        try {
            command.undoStart();
            command.discard();
        } catch (InterruptedException | RuntimeException e) {
            log.error("launch: {}: it may run on until its instance stops or the agent starts again", command, e);
            cause.addSuppressed(e);
        }
    }

    private static LaunchOutcome failed(LaunchRequest request, Throwable cause) {
        return new LaunchOutcome.Failed("run " + request.id() + ": could not be started: " + cause.getMessage(), cause);
    }
}
