package io.carlos.agent.container.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A directory that only the user of this process may enter: whoever else can, reaches the guests in it. */
final class PrivateDirectory {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /**
     * Makes it when it lacks.
     *
     * @throws IOException also when what is there is no directory, another user's, or one that others may enter
     */
    static void make(Path path) throws IOException {
        Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER));
        PosixFileAttributes found = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory() || !owner.equals(self) || !OWNER.containsAll(found.permissions())) {
            throw new IOException(path + " is "
                    + (found.isDirectory() ? "a directory" : "no directory") + " of uid " + owner + " with mode "
                    + PosixFilePermissions.toString(found.permissions()) + ": expected a directory of uid " + self
                    + " that nobody else may enter; remove it");
        }
    }
}
