package io.carlos.guest.boot;

import io.carlos.model.linux.Mount;
import io.carlos.model.linux.MountTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The parts of a virtual machine that come up after its kernel.
 *
 * @param interfaces the kernel's directory of network interfaces
 * @param workspace where the host's directory is to be mounted
 */
record MachineParts(Path interfaces, Path workspace) {
    /** Some drivers never learn whether a cable is in, and say so. */
    private static final Set<String> UP = Set.of("up", "unknown");

    /** Whether an interface other than the loopback is up. */
    boolean networkUp() {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(interfaces)) {
            for (Path one : found) {
                boolean loopback = one.getFileName().toString().equals("lo");
                if (!loopback
                        && UP.contains(
                                Files.readString(one.resolve("operstate")).strip())) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("the network interfaces cannot be looked at", e);
        }
    }

    /** Whether the workspace is a mount of the host's. */
    boolean workspaceMounted() {
        try {
            return workspaceMounted(MountTable.read());
        } catch (IOException e) {
            throw new UncheckedIOException("the mounts cannot be looked at", e);
        }
    }

    boolean workspaceMounted(MountTable table) {
        return table.mounts().stream().anyMatch(this::isWorkspace);
    }

    private boolean isWorkspace(Mount mount) {
        return mount.fileSystem().equals("virtiofs") && mount.point().equals(workspace.toString());
    }
}
