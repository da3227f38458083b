package io.carlos.guest.exec;

import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.ChildProcess;
import io.carlos.model.linux.process.EndedChild;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
     * Held while a child is reaped, so that no number is given out anew between a reaping and its record. Not held while
     * one is started: that takes as long as the file system of its program likes.
     */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition started = lock.newCondition();
    private boolean idle;
    private int startsUnderWay;
    private final Map<Integer, Child> running = new HashMap<>();

    /**
     * The ends of children that nobody here knows, while a start is under way: one of them may be of a child that was
     * faster than the thread that started it.
     */
    private final Map<Integer, ChildEnd> unclaimed = new HashMap<>();

    /** Who had each number last, of those that {@link Child#forget} was not called on. */
    private final Map<Integer, Child> leaders = new ConcurrentHashMap<>();

    private final Wait wait;
    private final Runnable broken;

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
            whileUnreaped(() -> process.signalGroup(signal));
        }

        /** Does something with its number; nothing happens when it may be somebody else's. */
        void whileUnreaped(Step step) throws IOException {
            lock.lock();
            try {
                if (running.get(pid()) == this) {
                    step.run();
                }
            } finally {
                lock.unlock();
            }
        }

        /**
         * Whether a session of this child's number is the one that it led. The kernel gives the number out anew once the
         * child is reaped and its session empty, also to a command that is to live on.
         */
        boolean leads(int session) throws ProcessCallException {
            return session == pid()
                    && leaders.get(pid()) == this
                    && !(end.isDone() && ProcFs.stat(pid()).isPresent());
        }

        /** Nothing is asked about its session any more. */
        void forget() {
            leaders.remove(pid(), this);
        }

        /**
         * Whether it, or a process that may have come of it, is still there. When its number has been given out anew, it
         * may look so although nothing is.
         */
        boolean mayHaveLeftSome() throws IOException {
            return !end.isDone() || process.hasGroup() || hasOrphans();
        }
    }

    interface Step {
        void run() throws IOException;
    }

    /** What starts a process, and throws what it likes. */
    @FunctionalInterface
    interface Start {
        PipedProcess call() throws ExecRefusedException, InterruptedException;
    }

    record Started(Child child, PipedProcess process) {}

    /** Waits until any child of this process has ended, and leaves it unreaped; empty when there is none. */
    @FunctionalInterface
    interface Wait {
        Optional<EndedChild> await() throws ProcessCallException;
    }

    /** @param broken is run when no end will be noticed any more */
    Children(Runnable broken) {
        this(ChildProcess::awaitAny, broken);
    }

    Children(Wait wait, Runnable broken) {
        this.wait = wait;
        this.broken = broken;
    }

    /** To be called once, before the first start. */
    void startReaping() {
        Thread.ofPlatform().daemon().name("reaper").start(this::reapForEver);
    }

    Started start(Start start) throws ExecRefusedException, InterruptedException {
        beginStart();
        PipedProcess process;
        try {
            process = start.call();
        } catch (StartBrokenOffException e) {
            // Its end is kept as a command's would be.
            Child child = new Child(e.child());
            admit(child);
            throw e.refusal(child);
        } catch (ExecRefusedException | InterruptedException | RuntimeException | Error e) {
            endStart();
            throw e;
        }
        Child child = new Child(process.child());
        admit(child);
        return new Started(child, process);
    }

    /** Kills the process group of a child that is being started; nothing happens when its end was taken. */
    void kill(ChildProcess child) throws IOException {
        lock.lock();
        try {
            if (child.isUnreaped()) {
                child.signalGroup(Signal.KILL);
            }
        } finally {
            lock.unlock();
        }
    }

    private void beginStart() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            startsUnderWay++;
        } finally {
            lock.unlock();
        }
    }

    private void endStart() {
        lock.lock();
        try {
            startsUnderWay--;
            if (startsUnderWay == 0) {
                unclaimed.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    private void admit(Child child) {
        lock.lock();
        try {
            leaders.put(child.pid(), child);
            ChildEnd end = unclaimed.get(child.pid());
            if (end != null && !isUnreaped(child)) {
                child.end.complete(end);
            } else {
                // An end of that number was an orphan's, before the number was given out anew.
                running.put(child.pid(), child);
            }
            unclaimed.remove(child.pid());
            if (idle) {
                started.signal();
            }
        } finally {
            lock.unlock();
            endStart();
        }
    }

    private static boolean isUnreaped(Child child) {
        try {
            return child.process.isUnreaped();
        } catch (ProcessCallException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void reapForEver() {
        try {
            while (true) {
                reapNext();
            }
        } catch (Throwable e) {
            log.error("reap: broken: no command's end will be noticed any more; the supervisor stops", e);
            broken.run();
        }
    }

    private void reapNext() throws InterruptedException {
        try {
            Optional<EndedChild> ended = wait.await();
            if (ended.isPresent()) {
                reap(ended.get());
            } else {
                awaitStart();
            }
        } catch (ProcessCallException e) {
            log.error("reap: the wait for children failed; it goes on", e);
        }
    }

    private void reap(EndedChild ended) throws ProcessCallException {
        int pid = ended.child().pid();
        Child child;
        lock.lock();
        try {
            ended.child().reap();
            child = running.remove(pid);
            if (child == null && startsUnderWay > 0) {
                unclaimed.put(pid, ended.end());
            }
        } finally {
            lock.unlock();
        }
        if (child != null) {
            child.end.complete(ended.end());
        }
    }

    private void awaitStart() throws InterruptedException {
        lock.lock();
        try {
            idle = running.isEmpty();
            if (idle && started.await(LOOK_FOR_ORPHANS_MILLIS, TimeUnit.MILLISECONDS)) {
                log.trace("reap: a command started");
            }
            idle = false;
        } finally {
            lock.unlock();
        }
    }

    /** The kernel gives orphans to the thread that is listed by the process's own number. */
    private boolean hasOrphans() throws IOException {
        lock.lock();
        try {
            return hasUnknownChildren();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasUnknownChildren() throws IOException {
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
