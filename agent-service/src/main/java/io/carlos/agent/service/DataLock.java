package io.carlos.agent.service;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * That this process is the only agent on a data directory: another one would kill its commands for leftovers of an earlier
 * start. The kernel drops it with the process.
 */
final class DataLock implements AutoCloseable {
    private static final String NAME = ".agent.lock";

    private final LinuxFile file;

    private DataLock(LinuxFile file) {
        this.file = file;
    }

    /** @throws IOException the directory cannot be used, or another agent is at work on it */
    static DataLock take(Path data) throws IOException {
        Files.createDirectories(data.resolve("instances"));
        try (Directory directory = Directory.open(data)) {
            LinuxFile file = directory.openOrCreateFile(NAME, 0600);
            if (file.tryLock()) {
                return new DataLock(file);
            }
            file.close();
            throw new IOException(data + ": another agent is at work on it: end that one first, or set "
                    + AgentProperties.PREFIX + ".data");
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
