package io.carlos.control.unit;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * systemd by its own program: every call is one process with a list of arguments, and no shell is involved. Calls that
 * systemd answers from memory are quick, and only so many of them run at a time: further ones wait for up to 10 s. A start
 * or stop that systemd is waited for waits for no quick call, and for others of its kind only when there are very many; it
 * holds no carrier of virtual threads.
 */
public final class Systemctl implements UnitManager {
    /** For what systemd answers from memory. */
    private static final Duration QUICK = Duration.ofSeconds(10);

    /** Longer than any template's {@code TimeoutStartSec=}, so that systemd's own verdict comes first. */
    private static final Duration START = Duration.ofSeconds(150);

    /** Longer than {@code TimeoutStopSec=20} and the kill that follows it. */
    private static final Duration STOP = Duration.ofSeconds(60);

    /**
     * Starts and stops that systemd is waited for. Each is a process of a megabyte or two, which must not fill the service's
     * share however many are asked for.
     */
    static final int AWAITED_AT_A_TIME = 32;

    /** systemd has an exit status for this only with other verbs; the words are those of {@code LC_ALL=C}. */
    private static final String NOT_LOADED = "not loaded.";

    private final Program program;
    private final int quickAtATime;
    private final Semaphore quickCalls;
    private final Semaphore awaitedCalls = new Semaphore(AWAITED_AT_A_TIME, true);

    /**
     * @param program where systemctl is
     * @param quickAtATime of this object's own quick calls; each takes a megabyte or two out of the service's share
     */
    public Systemctl(Path program, int quickAtATime) {
        this.program = new Program(program);
        this.quickAtATime = quickAtATime;
        quickCalls = new Semaphore(quickAtATime, true);
    }

    /** Quick calls that wait for others to end. */
    int waiting() {
        return quickCalls.getQueueLength();
    }

    /** Starts and stops that wait for others to end. */
    int awaitedWaiting() {
        return awaitedCalls.getQueueLength();
    }

    @Override
    public void setMemory(SliceName slice, MemoryTier tier) throws SystemdException, InterruptedException {
        quick(SystemctlArguments.setMemory(slice, tier));
    }

    @Override
    public void start(Unit unit) throws SystemdException, InterruptedException {
        await(SystemctlArguments.start(unit), START);
    }

    @Override
    public void startInBackground(Unit unit) throws SystemdException, InterruptedException {
        quick(SystemctlArguments.startInBackground(unit));
    }

    @Override
    public Optional<InvocationId> invocation(Unit unit) throws SystemdException, InterruptedException {
        List<String> arguments = SystemctlArguments.invocation(unit);
        String text = quick(arguments).strip();
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(InvocationId.of(text));
        } catch (InvalidNameException e) {
            throw new SystemdException("systemctl " + String.join(" ", arguments) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public UnitStatus show(Unit unit, List<UnitProperty> properties) throws SystemdException, InterruptedException {
        List<String> arguments = SystemctlArguments.show(unit, properties);
        UnitStatus status = UnitStatus.parse(quick(arguments));
        for (UnitProperty property : properties) {
            if (!status.values().containsKey(property)) {
                throw new SystemdException("systemctl " + String.join(" ", arguments)
                        + ": expected a line for each property, found none for " + property.systemdName());
            }
        }
        return status;
    }

    @Override
    public void terminateMain(Unit unit) throws SystemdException, InterruptedException {
        quick(SystemctlArguments.terminateMain(unit));
    }

    @Override
    public void stop(Unit unit) throws SystemdException, InterruptedException {
        await(SystemctlArguments.stop(unit), STOP);
    }

    @Override
    public void resetFailed(Unit unit) throws SystemdException, InterruptedException {
        Program.Ended ended = runQuick(SystemctlArguments.resetFailed(unit));
        if (!ended.isSuccess() && !ended.stderr().endsWith(NOT_LOADED)) {
            throw ended.refusal();
        }
    }

    @Override
    public List<LoadedUnit> instances() throws SystemdException, InterruptedException {
        return LoadedUnit.parse(quick(SystemctlArguments.instances()));
    }

    @Override
    public Set<UnitName> unitsWithJobs() throws SystemdException, InterruptedException {
        return parseJobs(quick(SystemctlArguments.jobs()));
    }

    private void await(List<String> arguments, Duration limit) throws SystemdException, InterruptedException {
        enter(awaitedCalls, AWAITED_AT_A_TIME, limit, arguments);
        try {
            program.await(arguments, limit);
        } finally {
            awaitedCalls.release();
        }
    }

    private static void enter(Semaphore calls, int atATime, Duration limit, List<String> arguments)
            throws SystemdException, InterruptedException {
        if (!calls.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new SystemdException("systemctl " + String.join(" ", arguments) + ": " + atATime
                    + " calls before it had no answer within " + limit.toSeconds() + " s");
        }
    }

    private String quick(List<String> arguments) throws SystemdException, InterruptedException {
        Program.Ended ended = runQuick(arguments);
        if (!ended.isSuccess()) {
            throw ended.refusal();
        }
        return ended.stdout();
    }

    private Program.Ended runQuick(List<String> arguments) throws SystemdException, InterruptedException {
        enter(quickCalls, quickAtATime, QUICK, arguments);
        try {
            return program.run(arguments, QUICK);
        } finally {
            quickCalls.release();
        }
    }

    /** Reads {@code list-jobs --plain --no-legend}: number, unit, type and state. */
    static Set<UnitName> parseJobs(String output) {
        return output.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 1)
                .flatMap(columns -> UnitName.parse(columns[1]).stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
