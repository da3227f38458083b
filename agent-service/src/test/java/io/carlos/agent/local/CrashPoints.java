package io.carlos.agent.local;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.StagingRefusedException;
import io.carlos.model.names.Host;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoredObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The points at which an agent's process is killed: before and after each of its calls to store, disk and launcher, in the
 * order in which they come. At the chosen one the process kills itself with SIGKILL, saying where.
 */
final class CrashPoints {
    /** In place of a point: every listing fails with an {@link OutOfMemoryError}. */
    static final int OUT_OF_MEMORY = -1;

    private final int chosen;
    private final AtomicInteger passed = new AtomicInteger();

    /** @param chosen the number of the point, from 1; 0 for none */
    CrashPoints(int chosen) {
        this.chosen = chosen;
    }

    private void pass(String name) {
        if (passed.incrementAndGet() != chosen) {
            return;
        }
        System.out.println("killed " + name);
        System.out.flush();
        try {
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
        while (true) {
            LockSupport.park(); // until the signal comes: nothing may happen past the point
        }
    }

    /** A store whose calls have points around them. Looks for the change marker have none: there is no end of them. */
    final class Store implements ObjectStore {
        private final ObjectStore store;

        Store(ObjectStore store) {
            this.store = store;
        }

        @Override
        public Optional<StoredObject> get(ObjectKey key) {
            pass("before get " + key);
            Optional<StoredObject> found = store.get(key);
            pass("after get " + key);
            return found;
        }

        @Override
        public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
            return store.getUnlessMatch(key, knownEtag);
        }

        @Override
        public String put(ObjectKey key, byte[] value, Precondition precondition) {
            pass("before put " + key);
            String etag = store.put(key, value, precondition);
            pass("after put " + key);
            return etag;
        }

        @Override
        public void delete(ObjectKey key) {
            store.delete(key);
        }

        @Override
        public List<ListedObject> list(String prefix, String startAfter, int limit) {
            if (chosen == OUT_OF_MEMORY) {
                throw new OutOfMemoryError("told to fail");
            }
            pass("before list " + prefix);
            List<ListedObject> page = store.list(prefix, startAfter, limit);
            pass("after list " + prefix);
            return page;
        }
    }

    /** Run directories whose calls have points around them. */
    final class Directories implements RunDirectories {
        private final RunDirectories directories;

        Directories(RunDirectories directories) {
            this.directories = directories;
        }

        @Override
        public Path instanceData(Host host) {
            return directories.instanceData(host);
        }

        @Override
        public Path stage(RunRequest request) throws StagingRefusedException, IOException {
            pass("before stage");
            Path directory = directories.stage(request);
            pass("after stage");
            return directory;
        }

        @Override
        public void remove(Host host, RunId id) throws IOException {
            pass("before remove");
            directories.remove(host, id);
            pass("after remove");
        }

        @Override
        public void sweep() throws IOException, InterruptedException {
            pass("before sweep");
            directories.sweep();
            pass("after sweep");
        }
    }

    /** A launcher whose calls have points around them. */
    final class Launcher implements RunLauncher {
        private final RunLauncher launcher;

        Launcher(RunLauncher launcher) {
            this.launcher = launcher;
        }

        @Override
        public LaunchOutcome launch(LaunchRequest request, OutputSink output) throws InterruptedException {
            pass("before launch");
            LaunchOutcome outcome = launcher.launch(request, output);
            pass("after launch");
            return outcome instanceof LaunchOutcome.Started(LaunchedRun run)
                    ? new LaunchOutcome.Started(new Run(run))
                    : outcome;
        }
    }

    private final class Run implements LaunchedRun {
        private final LaunchedRun run;

        Run(LaunchedRun run) {
            this.run = run;
        }

        @Override
        public Optional<CommandEnd> awaitEnd(Duration wait) throws InterruptedException {
            Optional<CommandEnd> end = run.awaitEnd(wait);
            if (end.isPresent()) {
                pass("after the command's end");
            }
            return end;
        }

        @Override
        public CommandEnd stop(Duration grace) throws InterruptedException {
            pass("before stop");
            CommandEnd end = run.stop(grace);
            pass("after stop");
            return end;
        }
    }
}
