package io.carlos.agent.container.microvm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StartFailedException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.container.microvm.Standing.Booting;
import io.carlos.agent.container.microvm.Standing.Created;
import io.carlos.agent.container.microvm.Standing.Ended;
import io.carlos.agent.container.microvm.Standing.Ready;
import io.carlos.agent.container.microvm.Standing.Running;
import io.carlos.agent.container.microvm.Standing.Stopping;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One machine's life. Every transition of its {@link Standing} is one compare-and-set. */
final class Session {
    private static final Logger log = LoggerFactory.getLogger(Session.class);

    static final String PROVISION = "provision";

    private static final String WHILE_IT_RAN = " while the machine ran";

    private static final long NANOS_IN_MILLI = 1_000_000;

    /** From a broken connection until it is known that the machine has ended, if it has. */
    private static final Duration NEWS_BOUND = Duration.ofSeconds(1);

    private final String subject;
    private final ContainerSpec spec;
    private final SessionDirectory directory;
    private final Path workspace;
    private final Machine machine;
    private final AtomicReference<Standing> standing = new AtomicReference<>(new Created());

    /** Held through a boot and a stop, so that the second stop waits for the first. */
    private final ReentrantLock changing = new ReentrantLock();

    private final Runnable whenGone;

    /** @param whenGone run, at least once, when nothing of a machine that has come up runs any more */
    Session(ContainerSpec spec, SessionDirectory directory, Path workspace, Machine machine, Runnable whenGone) {
        this.subject = "microvm " + directory.path().getFileName() + " (" + spec.name() + ")";
        this.spec = spec;
        this.directory = directory;
        this.workspace = workspace;
        this.machine = machine;
        this.whenGone = whenGone;
    }

    String name() {
        return spec.name();
    }

    SessionDirectory directory() {
        return directory;
    }

    /** Whether it was created without its data. */
    boolean takesLateData() {
        return spec.mounts().isEmpty();
    }

    Path workspace() {
        return workspace;
    }

    @Override
    public String toString() {
        return subject;
    }

    /**
     * Until the guest is ready to be provisioned.
     *
     * @param wanted whether somebody waits for it still
     */
    void boot(
            BootConfiguration configuration,
            MachinePlan plan,
            GuestDialer dialer,
            Boot.Bounds bounds,
            BooleanSupplier wanted)
            throws ContainerException, InterruptedException {
        changing.lockInterruptibly();
        try {
            Booting booting = new Booting();
            enter(Created.class, booting, "started");
            BooleanSupplier isAbandoned = () -> standing.get() != booting || !wanted.getAsBoolean();
            Boot boot = new Boot(subject, configuration, plan, machine, dialer, bounds, isAbandoned);
            Guest guest;
            try {
                guest = boot.run();
            } catch (StartFailedException | InterruptedException | RuntimeException e) {
                standing.set(new Ended("it could not be started: " + e.getMessage()));
                removeSockets();
                throw e;
            }
            if (!standing.compareAndSet(booting, new Ready(guest))) {
                giveUp(guest);
                throw new ContainerException(subject + ": it was stopped while it started", null);
            }
            var unused = machine.firstEnd().thenAccept(this::programEnded);
            log.info("microvm: {}: ready", subject);
        } finally {
            changing.unlock();
        }
    }

    /** Whether it has ended and nothing of it is left; what is left is killed once more. */
    boolean isGone() {
        return whyEnded().isPresent() && machine.kill().isEmpty();
    }

    /** A machine is started once. */
    void requireNotStarted() throws ContainerException {
        if (!(standing.get() instanceof Created)) {
            throw refused("started");
        }
    }

    boolean isReady() {
        return standing.get() instanceof Ready;
    }

    Optional<String> whyEnded() {
        return standing.get() instanceof Ended(String why) ? Optional.of(why) : Optional.empty();
    }

    /** Gives a machine that is ready its data. One that could not be given them ends. */
    void giveData(Path source, Duration bound) throws ContainerException, InterruptedException {
        changing.lockInterruptibly();
        try {
            if (!(standing.get() instanceof Ready ready)) {
                throw refused("given its data");
            }
            boolean given = false;
            try {
                machine.giveData(source, bound);
                given = true;
            } catch (IOException e) {
                throw new ContainerException(subject + ": it could not be given its data: " + e.getMessage(), e);
            } finally {
                if (!given) {
                    end(ready, new Ended("it could not be given its data"), ready.machine());
                }
            }
        } finally {
            changing.unlock();
        }
    }

    /** Opens it for commands. */
    void provision() throws ContainerException, InterruptedException {
        changing.lockInterruptibly();
        try {
            if (!(standing.get() instanceof Ready ready)) {
                throw refused("provisioned");
            }
            try {
                ready.machine().provision(spec.uid(), spec.environment());
            } catch (CommandException e) {
                List<String> console = machine.console();
                String why = whyEnded(e.reason());
                String reason = why == null ? String.valueOf(e.getMessage()) : why + ": " + e.getMessage();
                end(ready, new Ended("it could not be provisioned: " + reason), ready.machine());
                throw new StartFailedException(subject, PROVISION, reason, console, e);
            } catch (InterruptedException e) {
                end(ready, new Ended("its start was interrupted"), ready.machine());
                throw e;
            }
            enter(Ready.class, new Running(ready.machine()), "provisioned");
        } finally {
            changing.unlock();
        }
    }

    private <S extends Standing> void enter(Class<S> from, Standing next, String what) throws ContainerException {
        Standing now = standing.get();
        if (!from.isInstance(now) || !standing.compareAndSet(now, next)) {
            throw refused(what);
        }
    }

    private ContainerException refused(String what) {
        return new ContainerException(
                subject + " cannot be " + what + ": " + standing.get().description(), null);
    }

    /** A machine without one of its programs would hang at its next use of it. */
    private void programEnded(Program program) {
        Ended ended = new Ended(program.obituary() + WHILE_IT_RAN);
        Optional<Guest> guest = standing.getAndUpdate(now -> now.guest().isPresent() ? ended : now)
                .guest();
        if (guest.isPresent()) {
            log.error("microvm: {}: {}", subject, ended.description());
            giveUp(guest.get());
        }
    }

    /** What has ended already for another reason keeps that one, which came first. */
    private void end(Standing from, Ended ended, Guest guest) {
        standing.compareAndSet(from, ended);
        giveUp(guest);
    }

    private void giveUp(Guest guest) {
        List<String> alive = machine.kill();
        guest.close();
        removeSockets();
        if (alive.isEmpty()) {
            whenGone.run();
        }
    }

    private void removeSockets() {
        try {
            directory.removeSockets();
        } catch (IOException e) {
            log.warn("microvm: {}: its sockets are left until it is removed", subject, e);
        }
    }

    ExecOutput exec(ExecSpec command) throws CommandException, InterruptedException {
        Guest guest = running();
        try {
            return guest.exec(command);
        } catch (CommandException e) {
            throw explained(e);
        }
    }

    StreamingExec execStreaming(StreamingExecSpec command) throws CommandException, InterruptedException {
        Guest guest = running();
        try {
            StreamingExec exec = guest.execStreaming(command);
            return new StreamingExec(
                    exec.stdin(), exec.stdout(), exec.stderr(), new SessionChild(exec.child(), this::explained));
        } catch (CommandException e) {
            throw explained(e);
        }
    }

    private Guest running() throws CommandException {
        Standing now = standing.get();
        if (now instanceof Running(Guest guest)) {
            return guest;
        }
        throw new CommandException(Reason.NOT_READY, subject + " takes no command: " + now.description(), null);
    }

    /** A call that failed because the machine ended says so, and not only that its connection broke. */
    private CommandException explained(CommandException failure) throws InterruptedException {
        switch (failure.reason()) {
            case TRANSPORT, CANCELLED, NOT_READY -> {
                String why = whyEnded(failure.reason());
                return why == null
                        ? failure
                        : new CommandException(
                                Reason.TRANSPORT, subject + ": " + why + ": " + failure.getMessage(), failure);
            }
            case INVALID, DENIED, NOT_FOUND, LIMIT, TIMEOUT, UNSUPPORTED -> {
                return failure;
            }
        }
        throw new IllegalStateException("no such reason: " + failure.reason());
    }

    private @Nullable String whyEnded(Reason reason) throws InterruptedException {
        Standing now = standing.get();
        if (now.guest().isPresent() && reason == Reason.TRANSPORT) {
            try {
                Program first = machine.firstEnd().get(NEWS_BOUND.toNanos(), TimeUnit.NANOSECONDS);
                return first.obituary() + WHILE_IT_RAN;
            } catch (TimeoutException e) {
                return null;
            } catch (ExecutionException e) {
                throw new IllegalStateException(subject + ": no program's end fails", e);
            }
        }
        return switch (now) {
            case Stopping ignored -> "it was stopped while the command ran";
            case Ended(String why) -> why;
            case Created ignored -> null;
            case Booting ignored -> null;
            case Ready ignored -> null;
            case Running ignored -> null;
        };
    }

    /**
     * Returns when nothing of it runs.
     *
     * @throws ContainerException one of its programs does not die; it may be stopped again
     */
    void stop(Duration timeout) throws ContainerException, InterruptedException {
        // A boot gives up when it sees this; it holds the lock until nothing of it is left.
        standing.updateAndGet(Standing::stopped);
        changing.lockInterruptibly();
        try {
            if (standing.get() instanceof Stopping stopping) {
                stop(stopping, timeout);
            }
            List<String> alive = machine.kill();
            if (!alive.isEmpty()) {
                throw new ContainerException(
                        subject + ": killed, and does not die: " + String.join(", ", alive)
                                + "; look at what it waits for, and stop the container again",
                        null);
            }
            whenGone.run();
        } finally {
            changing.unlock();
        }
    }

    private void stop(Stopping stopping, Duration timeout) throws InterruptedException {
        Guest guest = stopping.machine();
        long start = System.nanoTime();
        String how = "it was killed";
        try {
            if (timeout.isPositive()) {
                guest.stopGuest(timeout);
                Duration left = timeout.minusNanos(System.nanoTime() - start);
                how = machine.awaitPowerOff(left)
                        ? "it switched itself off"
                        : "it was killed, as it did not switch itself off: " + machine.monitorsObituary();
            }
        } catch (CommandException e) {
            how = "it was killed, as it could not be asked: " + e.getMessage();
        } finally {
            end(stopping, new Ended("it was stopped: " + how), guest);
        }
        log.info("microvm: {}: stopped: {}, after {} ms", subject, how, (System.nanoTime() - start) / NANOS_IN_MILLI);
    }
}
