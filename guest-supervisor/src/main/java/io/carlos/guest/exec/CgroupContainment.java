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
 * Holds a command in a control group of its own, see cgroups(7). The command enters it right after its start; a child
 * that it made before that is outside, and found as it would be without control groups.
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
        public ExecCommand prepare(String execId, ExecCommand command) {
            return command.with(SessionContainment.VARIABLE, execId);
        }

        @Override
        public Containment contain(String execId, Children.Child child) throws IOException {
            Path group = Files.createDirectory(parent.resolve("exec-" + execId));
            CgroupContainment containment = new CgroupContainment(execId, child, group);
            try {
                Files.writeString(group.resolve("cgroup.procs"), Integer.toString(child.pid()));
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
    }

    @Override
    public void kill() throws IOException, InterruptedException {
        if (isPopulated()) {
            Files.writeString(group.resolve("cgroup.kill"), "1");
            awaitEmpty();
        }
        if (child.mayHaveLeftSome()) {
            TreeKiller.kill("exec " + execId, early);
        }
    }

    private boolean isPopulated() throws IOException {
        return Files.readString(group.resolve("cgroup.events")).contains("populated 1");
    }

    private void awaitEmpty() throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (long pause = 1; isPopulated(); pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
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
