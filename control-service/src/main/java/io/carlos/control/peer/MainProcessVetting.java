package io.carlos.control.peer;

import io.carlos.control.peer.Verdict.Admitted;
import io.carlos.control.peer.Verdict.Refusal;
import io.carlos.control.peer.Verdict.Refused;
import io.carlos.control.unit.SystemdException;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.PeerCredentials;
import io.carlos.model.linux.PidFd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the main process of one unit, run by one user, and nobody else.
 *
 * <p>The kernel says who connected by a number, which may be another process's by the time it is looked at. So the
 * process is held by a pidfd before systemd is asked, and has to be alive after its control group was read: as long as it
 * lives, its number is its own.
 */
public final class MainProcessVetting implements Vetting {
    private static final Logger log = LoggerFactory.getLogger(MainProcessVetting.class);

    private final int uid;
    private final MainProcess mainProcess;
    private final Duration budget;
    private final AtomicBoolean missingPidFdTold = new AtomicBoolean();

    /** @param budget how long systemd has to answer */
    public MainProcessVetting(int uid, MainProcess mainProcess, Duration budget) {
        this.uid = uid;
        this.mainProcess = mainProcess;
        this.budget = budget;
    }

    @Override
    public CompletionStage<Verdict> vet(int socket) {
        PeerCredentials peer;
        PidFd held = null;
        try {
            peer = PeerCredentials.of(socket);
            if (UserVetting.check(peer, uid) instanceof Refused refused) {
                return done(refused);
            }
            switch (PidFd.ofPeer(socket)) {
                case PidFd.Peer.Held(PidFd pidFd) -> held = pidFd;
                case PidFd.Peer.Gone() -> {
                    return done(new Refused(Refusal.GONE, "pid " + peer.pid() + ": the process has ended"));
                }
                case PidFd.Peer.Unsupported() -> tellOfMissingPidFd();
            }
        } catch (LinuxException e) {
            return done(new Refused(Refusal.UNKNOWN, String.valueOf(e.getMessage())));
        }
        return askInBackground(peer, Optional.ofNullable(held));
    }

    private static CompletionStage<Verdict> done(Verdict verdict) {
        return CompletableFuture.completedFuture(verdict);
    }

    private void tellOfMissingPidFd() {
        if (missingPidFdTold.compareAndSet(false, true)) {
            log.warn("vet: the kernel has no SO_PEERPIDFD (Linux 6.5): peers are told by their process number alone");
        }
    }

    /** One thread for each peer: systemd may keep one of them waiting, and that is no other peer's matter. */
    private CompletionStage<Verdict> askInBackground(PeerCredentials peer, Optional<PidFd> held) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        Thread asking = Thread.ofVirtual().name("vet").start(() -> verdict.complete(ask(peer, held)));
        verdict.completeOnTimeout(
                new Refused(
                        Refusal.SYSTEMD_SILENT,
                        "pid " + peer.pid() + ": systemd did not say within " + budget.toMillis()
                                + " ms which process is the main one of " + mainProcess.unit()),
                budget.toNanos(),
                TimeUnit.NANOSECONDS);
        verdict.thenRun(asking::interrupt);
        return verdict;
    }

    private Verdict ask(PeerCredentials peer, Optional<PidFd> held) {
        try (PidFd pidFd = held.orElse(null)) {
            return check(peer, pidFd, mainProcess.get());
        } catch (SystemdException e) {
            return new Refused(Refusal.SYSTEMD_SILENT, "pid " + peer.pid() + ": " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            return new Refused(Refusal.UNKNOWN, "pid " + peer.pid() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            return new Refused(Refusal.SYSTEMD_SILENT, "pid " + peer.pid() + ": the time for asking is over");
        }
    }

    private Verdict check(PeerCredentials peer, @Nullable PidFd held, MainProcess.Answer expected) throws IOException {
        if (peer.pid() <= 0 || peer.pid() != expected.pid()) {
            return new Refused(
                    Refusal.OTHER_PROCESS,
                    "pid " + peer.pid() + ": the main process of " + mainProcess.unit() + " is "
                            + (expected.pid() == 0 ? "none: it does not run" : Integer.toString(expected.pid())));
        }
        boolean inUnit = isIn(expected.controlGroup(), peer.pid());
        if (held != null && !held.isAlive()) {
            return new Refused(Refusal.GONE, "pid " + peer.pid() + ": the process has ended");
        }
        if (!inUnit) {
            return new Refused(
                    Refusal.OUTSIDE_UNIT,
                    "pid " + peer.pid() + ": it is not in the control group of " + mainProcess.unit());
        }
        return new Admitted();
    }

    private static boolean isIn(String controlGroup, int pid) throws IOException {
        try {
            Path file = Path.of("/proc/" + pid + "/cgroup");
            return ControlGroupLines.isIn(controlGroup, Files.readAllLines(file, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The lines of {@code /proc/<pid>/cgroup}, see cgroups(7). */
    static final class ControlGroupLines {
        private static final String UNIFIED = "0::";

        private ControlGroupLines() {}

        /** In the group itself or below it. No group is known yet while its name is empty, and nothing is in it. */
        static boolean isIn(String controlGroup, List<String> lines) {
            if (controlGroup.isEmpty()) {
                return false;
            }
            String below = controlGroup.endsWith("/") ? controlGroup : controlGroup + "/";
            return lines.stream()
                    .filter(line -> line.startsWith(UNIFIED))
                    .map(line -> line.substring(UNIFIED.length()))
                    .anyMatch(path -> path.equals(controlGroup) || path.startsWith(below));
        }
    }
}
