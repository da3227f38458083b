package io.carlos.control.testing;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.SystemdEscape;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** A box whose control groups and status files are plain files that the test writes. */
public final class FileBox {
    private final Path root;

    public FileBox(Path root) {
        this.root = root;
        mountCgroups(cgroupRoot());
    }

    /** Makes a directory look as if the cgroup2 file system were mounted there. */
    public static void mountCgroups(Path directory) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("cgroup.controllers"), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public BoxPaths paths() {
        return BoxPaths.under(root);
    }

    public Path cgroupRoot() {
        return root.resolve("cgroup");
    }

    public FileBox populate(UnitName unit) {
        return events(unit, "populated 1\nfrozen 0\n");
    }

    public FileBox empty(UnitName unit) {
        return events(unit, "populated 0\nfrozen 0\n");
    }

    public FileBox events(UnitName unit, String content) {
        Path directory = cgroupRoot().resolve(unit.cgroupPath());
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("cgroup.events"), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** As when systemd removes the control group. */
    public FileBox remove(UnitName unit) {
        Path directory = cgroupRoot().resolve(unit.cgroupPath());
        try {
            Files.deleteIfExists(directory.resolve("cgroup.events"));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** As the program in the unit's namespace does before it starts its command. */
    public FileBox begin(UnitName unit, InvocationId invocation) {
        return tell(unit, invocation, StatusFile.Cause.RUNNING, 0);
    }

    /** As that program does when it knows more. */
    public FileBox tell(UnitName unit, InvocationId invocation, StatusFile.Cause cause, int status) {
        return writeStatus(unit, invocation, new StatusFile(invocation, cause, status, Instant.EPOCH).toJson());
    }

    public FileBox writeStatus(UnitName unit, InvocationId invocation, String content) {
        try {
            Path file = statusFile(unit, invocation);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public Path statusFile(UnitName unit, InvocationId invocation) {
        InstanceId id = InstanceId.of(SystemdEscape.unescape(unit.escapedId()));
        return paths().instanceRun(id).resolve(StatusFile.fileName(unit.role(), invocation));
    }
}
