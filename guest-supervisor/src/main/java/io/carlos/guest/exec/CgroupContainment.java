package io.carlos.guest.exec;

import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessTree;
import io.carlos.model.linux.process.TreeKiller;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a command in a control group of its own, see cgroups(7). Unless its starter had it enter before, the command
 * enters right after its start; a child that it made before that is outside, and found as it would be without control
 * groups.
 */
final class CgroupContainment implements Containment {
    private static final Logger log = LoggerFactory.getLogger(CgroupContainment.class);

    private static final Duration KILL_BOUND = Duration.ofSeconds(10);
    private static final long LONGEST_PAUSE_MILLIS = 50;

    private final String execId;
    private final Children.Child child;
    private final Path group;
    private final ProcessTree early;

    private CgroupContainment(String execId, Children.Child child, Path group) {
        this.execId = execId;
        this.child = child;
        this.group = group;
        this.early = SessionContainment.treeOf(execId, child);
    }

    /** @param parent a directory of the cgroup2 file system in which this process may make others */
    record Factory(Path parent) implements Containment.Factory {
        @Override
        public ExecCommand prepare(String execId, ExecCommand command) throws IOException {
            return command.with(SessionContainment.VARIABLE, execId).in(Files.createDirectory(group(execId)));
        }

        private Path group(String execId) {
            return parent.resolve("exec-" + execId);
        }

        @Override
        public Containment contain(String execId, Children.Child child) throws IOException {
            CgroupContainment containment = new CgroupContainment(execId, child, group(execId));
            try {
                containment.takeIn(child.pid());
            } catch (IOException e) {
                // One that is over already can enter nothing.
                if (ProcFs.stat(child.pid())
                        .filter(process -> !process.isDead())
                        .isPresent()) {
                    containment.close();
                    throw e;
                }
            }
            return containment;
        }

        @Override
        public void abandon(String execId) throws IOException, InterruptedException {
            // A program that could not become the command may be on its way out.
            awaitEmpty(execId, group(execId));
            Files.delete(group(execId));
        }
    }

    private void takeIn(int pid) throws IOException {
        Path processes = group.resolve("cgroup.procs");
        String number = Integer.toString(pid);
        if (!Files.readAllLines(processes).contains(number)) {
            Files.writeString(processes, number);
        }
    }

    @Override
    public void kill() throws IOException, InterruptedException {
        if (isPopulated(group)) {
            Files.writeString(group.resolve("cgroup.kill"), "1");
            awaitEmpty(execId, group);
        }
        if (child.mayHaveLeftSome()) {
            TreeKiller.kill("exec " + execId, early);
        }
    }

    private static boolean isPopulated(Path group) throws IOException {
        return Files.readString(group.resolve("cgroup.events")).contains("populated 1");
    }

    private static void awaitEmpty(String execId, Path group) throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (long pause = 1; isPopulated(group); pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            if (System.nanoTime() - start > KILL_BOUND.toNanos()) {
                throw new IOException("exec " + execId + ": " + group + " still has processes " + KILL_BOUND.toSeconds()
                        + " s after all were killed; look at what they wait for");
            }
            Thread.sleep(pause);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.delete(group);
        } catch (FileSystemException e) {
            log.warn("clean: exec {}: {} stays: {}", execId, group, e.getReason());
        }
    }
}
