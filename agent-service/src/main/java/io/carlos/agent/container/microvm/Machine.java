package io.carlos.agent.container.microvm;

import io.carlos.model.linux.process.ChildEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** The programs of one session, of which the last is the monitor. They live and die together. */
class Machine {
    static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    private final SessionDirectory directory;
    private final String name;
    private final Path workspace;
    private final CompletableFuture<Program> firstEnd = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Program> programs = new ArrayList<>();

    Machine(SessionDirectory directory, String name, Path workspace) {
        this.directory = directory;
        this.name = name;
        this.workspace = workspace;
    }

    /** Returns when the program has been executed and is written down. */
    Program start(ProgramSpec spec) throws IOException {
        Program program = Program.start(spec, directory, environment());
        lock.lock();
        try {
            programs.add(program);
            List<SessionRecord.Started> started = programs.stream()
                    .map(one -> new SessionRecord.Started(
                            one.spec().name(),
                            one.identity().pid(),
                            one.identity().startTime()))
                    .toList();
            SessionRecord.of(name, workspace, started).write(directory);
        } finally {
            lock.unlock();
        }
        program.ended().whenComplete((end, failure) -> firstEnd.complete(program));
        return program;
    }

    /** By which an agent that starts later knows whose a process is. */
    private Map<String, String> environment() {
        return Map.of("PATH", PATH, LeftSessions.MARK, directory.path().toString());
    }

    /**
     * Gives the workspace its data. A gift that fails may have been made all the same: the machine is of no more use.
     *
     * @throws IOException it was not made, or not within the bound
     */
    void giveData(Path source, Duration bound) throws IOException, InterruptedException {
        Program holder = all().stream()
                .filter(program -> program.spec().name().equals(Helpers.WORKSPACE))
                .findFirst()
                .orElseThrow(() -> new IOException(name + " has no program that serves its workspace"));
        ProgramSpec spec = LateData.gift(holder.identity().pid(), workspace, source);
        Program gift = Program.start(spec, directory, environment());
        try {
            Optional<ChildEnd> end = gift.awaitEnd(bound);
            if (!end.equals(Optional.of(new ChildEnd.Exited(0)))) {
                gift.awaitLastWords();
                throw new IOException(gift.obituary() + ": " + source + ": " + String.join("; ", gift.lastLines()));
            }
        } finally {
            gift.kill();
        }
    }

    /** The program that ended first, as soon as one has. */
    CompletableFuture<Program> firstEnd() {
        return firstEnd;
    }

    /** @return whether the monitor ended within the bound as it does when its guest switches itself off */
    boolean awaitPowerOff(Duration bound) throws InterruptedException {
        Optional<ChildEnd> end = all().getLast().awaitEnd(bound);
        return end.filter(new ChildEnd.Exited(0)::equals).isPresent();
    }

    /** How the monitor ended, or that it runs. */
    String monitorsObituary() {
        return all().getLast().obituary();
    }

    /** What the program that was started last said last: the monitor, and with it the guest. */
    List<String> console() throws InterruptedException {
        Program last = all().getLast();
        if (last.hasEnded()) {
            last.awaitLastWords();
        }
        return last.lastLines();
    }

    /**
     * Kills all programs, the monitor first.
     *
     * @return the names of those that are not gone, of which there are none but where the kernel holds one
     */
    List<String> kill() {
        return all().reversed().stream()
                .filter(program -> !program.kill())
                .map(program -> program.spec().name())
                .toList();
    }

    private List<Program> all() {
        lock.lock();
        try {
            return List.copyOf(programs);
        } finally {
            lock.unlock();
        }
    }
}
