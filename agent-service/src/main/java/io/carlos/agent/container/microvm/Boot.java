package io.carlos.agent.container.microvm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.StartFailedException;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The start of one machine, from its first program to a guest that is ready for Provision. Either all of it stands, or
 * nothing is left: no process, no socket, no connection.
 */
final class Boot {
    /** The steps that are no program's start; a program's step has its name. */
    static final String GUEST = "guest";

    static final String NONCE = "boot nonce";

    private static final Duration LOOK_FOR_SOCKET = Duration.ofMillis(5);
    private static final Duration LOOK_FOR_GUEST = Duration.ofMillis(50);

    /** For the first question, which may be lost while the guest has no driver yet. */
    private static final Duration SHORTEST_ANSWER_BOUND = Duration.ofSeconds(5);

    /** For the later ones: a guest that is slow would be asked again and again, and never get to its answer. */
    private static final Duration LONGEST_ANSWER_BOUND = Duration.ofSeconds(20);

    private final String subject;
    private final BootConfiguration configuration;
    private final MachinePlan plan;
    private final Machine machine;
    private final GuestDialer dialer;
    private final Bounds bounds;
    private final BooleanSupplier abandoned;

    /**
     * How long a start may take.
     *
     * @param helper from a helper's start until it listens
     * @param guest from the monitor's start until the guest is ready
     */
    record Bounds(Duration helper, Duration guest) {}

    /** @param abandoned whether nobody wants the machine any more */
    Boot(
            String subject,
            BootConfiguration configuration,
            MachinePlan plan,
            Machine machine,
            GuestDialer dialer,
            Bounds bounds,
            BooleanSupplier abandoned) {
        this.subject = subject;
        this.configuration = configuration;
        this.plan = plan;
        this.machine = machine;
        this.dialer = dialer;
        this.bounds = bounds;
        this.abandoned = abandoned;
    }

    /** Returns a guest that is booted, has its network and its workspace, and is the one that was started. */
    Guest run() throws StartFailedException, InterruptedException {
        boolean booted = false;
        try {
            for (ProgramSpec helper : plan.helpers()) {
                start(helper);
            }
            start(plan.machine());
            Guest guest = awaitGuest();
            booted = true;
            return guest;
        } finally {
            if (!booted) {
                machine.kill();
            }
        }
    }

    private void start(ProgramSpec spec) throws StartFailedException, InterruptedException {
        try {
            Program program = machine.start(spec);
            if (spec.listensOn().isPresent()) {
                awaitListening(spec, program);
                program.giveWay();
            }
        } catch (StartFailedException e) {
            throw e;
        } catch (IOException e) {
            throw failed(spec.name(), spec.argv().getFirst() + " cannot be started: " + e.getMessage(), List.of(), e);
        }
    }

    private void awaitListening(ProgramSpec spec, Program program) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!ListeningSockets.contains(
                spec.listensOn().orElseThrow(), program.identity().pid())) {
            String missing = " before it listened on " + spec.listensOn().get();
            if (program.hasEnded()) {
                program.awaitLastWords();
                throw failed(spec.name(), program.obituary() + missing, program.lastLines(), null);
            }
            if (System.nanoTime() - start > bounds.helper().toNanos()) {
                throw failed(
                        spec.name(), bounds.helper().toMillis() + " ms passed" + missing, program.lastLines(), null);
            }
            pause(LOOK_FOR_SOCKET);
        }
    }

    private Guest awaitGuest() throws StartFailedException, InterruptedException {
        long start = System.nanoTime();
        String missing = "it was not asked yet";
        Duration answerBound = SHORTEST_ANSWER_BOUND;
        while (true) {
            Optional<Program> dead = Optional.ofNullable(machine.firstEnd().getNow(null));
            if (dead.isPresent()) {
                dead.get().awaitLastWords();
                throw failed(GUEST, dead.get().obituary() + " while the guest booted", wordsOf(dead.get()), null);
            }
            if (System.nanoTime() - start > bounds.guest().toNanos()) {
                throw failed(
                        GUEST,
                        "not ready within " + bounds.guest().toMillis() + " ms: " + missing,
                        machine.console(),
                        null);
            }
            Guest guest = dialer.dial(configuration.directory().vsock());
            boolean ready = false;
            try {
                Guest.Health health = guest.health(answerBound);
                requireNonce(health);
                ready = health.networkUp() && health.workspaceMounted();
                if (ready) {
                    return guest;
                }
                missing = health.networkUp() ? "its workspace is not mounted" : "its network is not up";
            } catch (CommandException e) {
                missing = e.getMessage();
            } finally {
                if (!ready) {
                    // After a failure a connection is tried later and later; a new one is tried at once.
                    guest.close();
                }
            }
            answerBound = longer(answerBound);
            pause(LOOK_FOR_GUEST);
        }
    }

    private static Duration longer(Duration bound) {
        Duration twice = bound.multipliedBy(2);
        return twice.compareTo(LONGEST_ANSWER_BOUND) < 0 ? twice : LONGEST_ANSWER_BOUND;
    }

    private void requireNonce(Guest.Health health) throws StartFailedException, InterruptedException {
        if (!MessageDigest.isEqual(health.bootNonce(), configuration.nonce())) {
            throw failed(
                    NONCE,
                    "the guest that answers at " + configuration.directory().vsock()
                            + " is not the one that was started",
                    machine.console(),
                    null);
        }
    }

    /** A monitor's own words come before the guest's when it could not start. */
    private List<String> wordsOf(Program dead) throws InterruptedException {
        List<String> own = dead.lastLines();
        return own.isEmpty() ? machine.console() : own;
    }

    private void pause(Duration duration) throws StartFailedException, InterruptedException {
        if (abandoned.getAsBoolean()) {
            throw failed(GUEST, "it was given up meanwhile", List.of(), null);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException(subject + ": its start was interrupted");
        }
        LockSupport.parkNanos(duration.toNanos());
    }

    private StartFailedException failed(String step, String reason, List<String> lines, @Nullable Throwable cause) {
        return new StartFailedException(subject, step, reason, lines, cause);
    }
}
