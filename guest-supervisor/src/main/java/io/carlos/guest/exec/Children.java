package io.carlos.guest.exec;

import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.ChildProcess;
import io.carlos.model.linux.process.EndedChild;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.ProcessCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All children of this process: those it started, and the orphans it inherited. One thread makes every wait, so that no
 * end is taken by whoever did not look for it, and no orphan stays a zombie. Nothing else in this process may start or
 * wait for processes.
 */
final class Children {
    private static final Logger log = LoggerFactory.getLogger(Children.class);

    /** An orphan may come although no command runs, from one whose kill did not find it. */
    private static final long LOOK_FOR_ORPHANS_MILLIS = 500;

    private static final Path INHERITED =
            Path.of("/proc/self/task/" + ProcessHandle.current().pid() + "/children");

    /**
     * Held shared from before a child is started until it is known here, and exclusively while one is reaped: so the
     * end of a child that is faster than the thread that started it is not taken for an orphan's, and no number is
     * given out anew between a reaping and its record.
     */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private final Condition started = lock.writeLock().newCondition();
    private volatile boolean idle;
    private final Map<Integer, Child> running = new ConcurrentHashMap<>();

    /** A child from its start on. */
    final class Child {
        private final ChildProcess process;
        private final CompletableFuture<ChildEnd> end = new CompletableFuture<>();

        private Child(ChildProcess process) {
            this.process = process;
        }

        int pid() {
            return process.pid();
        }

        /** Completed when it has exited and is reaped. */
        CompletableFuture<ChildEnd> end() {
            return end;
        }

        /** Signals its process group while it runs itself; nothing happens afterwards. */
        void signalGroup(int signal) throws IOException {
            lock.readLock().lock();
            try {
                if (running.get(pid()) == this) {
                    process.signalGroup(signal);
                }
            } finally {
                lock.readLock().unlock();
            }
        }

        /**
         * Whether it, or a process that may have come of it, is still there. Numbers are given out in turn: none comes
         * back as soon after its reaping as this is asked.
         */
        boolean mayHaveLeftSome() throws IOException {
            return !end.isDone() || process.hasGroup() || hasOrphans();
        }
    }

    /** What starts a process, and throws what it likes. */
    @FunctionalInterface
    interface Start {
        PipedProcess call() throws ExecRefusedException, InterruptedException;
    }

    record Started(Child child, PipedProcess process) {}

    /** To be called once, before the first start. */
    void startReaping() {
        Thread.ofPlatform().daemon().name("reaper").start(this::reapForEver);
    }

    Started start(Start start) throws ExecRefusedException, InterruptedException {
        lock.readLock().lockInterruptibly();
        Started result;
        try {
            PipedProcess process = start.call();
            Child child = new Child(process.child());
            running.put(child.pid(), child);
            result = new Started(child, process);
        } finally {
            lock.readLock().unlock();
        }
        if (idle) {
            wakeReaper();
        }
        return result;
    }

    private void wakeReaper() {
        lock.writeLock().lock();
        try {
            started.signal();
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void reapForEver() {
        while (true) {
            try {
                Optional<EndedChild> ended = ChildProcess.awaitAny();
                if (ended.isPresent()) {
                    reap(ended.get());
                } else {
                    awaitStart();
                }
            } catch (ProcessCallException | RuntimeException e) {
                log.error("reap: the wait for children failed; it goes on", e);
            } catch (InterruptedException e) {
                log.error("reap: interrupted by nobody who may; it goes on", e);
            }
        }
    }

    private void reap(EndedChild ended) throws ProcessCallException {
        Child child;
        lock.writeLock().lock();
        try {
            ended.child().reap();
            child = running.remove(ended.child().pid());
        } finally {
            lock.writeLock().unlock();
        }
        if (child != null) {
            child.end.complete(ended.end());
        }
    }

    private void awaitStart() throws InterruptedException {
        lock.writeLock().lock();
        try {
            idle = running.isEmpty();
            if (idle && started.await(LOOK_FOR_ORPHANS_MILLIS, TimeUnit.MILLISECONDS)) {
                log.trace("reap: a command started");
            }
            idle = false;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** The kernel gives orphans to the thread that is listed by the process's own number. */
    private boolean hasOrphans() throws IOException {
        String children;
        try {
            children = Files.readString(INHERITED);
        } catch (NoSuchFileException e) {
            // A kernel without this file: whoever asks has to look at everything.
            return true;
        }
        for (String pid : children.split(" ", -1)) {
            if (!pid.isBlank() && !running.containsKey(Integer.parseInt(pid.strip()))) {
                return true;
            }
        }
        return false;
    }
}
