package io.carlos.model.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes the calling thread an ordinary user to the file system until it is closed: nobody for a test that runs as root,
 * else whoever runs it.
 */
public final class OrdinaryUser implements AutoCloseable {
    private static final int NOBODY = 65534;

    private final boolean root = LinuxTestCalls.LIBC.geteuid() == 0;

    /** @param owned directories that are made this user's */
    public OrdinaryUser(Path... owned) throws IOException {
        if (root) {
            for (Path path : owned) {
                Files.setAttribute(path, "unix:uid", NOBODY);
            }
            LinuxTestCalls.LIBC.setfsgid(NOBODY);
            LinuxTestCalls.LIBC.setfsuid(NOBODY);
        }
    }

    @Override
    public void close() {
        if (root) {
            LinuxTestCalls.LIBC.setfsuid(0);
            LinuxTestCalls.LIBC.setfsgid(0);
        }
    }
}
