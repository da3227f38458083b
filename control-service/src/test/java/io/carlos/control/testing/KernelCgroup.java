package io.carlos.control.testing;

import io.carlos.model.linux.RootLane;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A unit's control group in the kernel's own file system, below a directory made for it. */
public final class KernelCgroup implements AutoCloseable {
    private static final String NAME = "carlos-test-" + ProcessHandle.current().pid();

    private final Path root;
    private final Deque<Path> made = new ArrayDeque<>();
    private final Path group;

    private KernelCgroup(Path root, UnitName unit) throws IOException {
        this.root = root;
        this.group = root.resolve(unit.cgroupPath());
        Path next = root.getParent();
        for (Path name : next.relativize(group)) {
            next = next.resolve(name);
            Files.createDirectory(next);
            made.push(next);
        }
    }

    /** Skips the test where no cgroup2 file system is that this user may write to. */
    public static KernelCgroup require(UnitName unit) throws IOException {
        Optional<KernelCgroup> made = of(unit);
        if (made.isEmpty()) {
            RootLane.skip("no cgroup2 file system that this user may write to");
        }
        return made.orElseThrow();
    }

    /** Empty where no cgroup2 file system is that this user may write to. */
    public static Optional<KernelCgroup> of(UnitName unit) throws IOException {
        for (String mount : new String[] {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
            Path root = Path.of(mount);
            if (Files.exists(root.resolve("cgroup.procs")) && Files.isWritable(root)) {
                return Optional.of(new KernelCgroup(root.resolve(NAME), unit));
            }
        }
        return Optional.empty();
    }

    public Path root() {
        return root;
    }

    public void take(Process process) throws IOException {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(process.pid()));
    }

    @Override
    public void close() throws IOException {
        for (Path directory : made) {
            Files.delete(directory);
        }
    }
}
