package io.carlos.agent.service;

import io.carlos.agent.instance.AtomicFile;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * That this process is the only agent on a data directory: another one would kill its commands for leftovers of an earlier
 * start. The kernel drops it with the process. So the last start that had it is over, and is noted beside it.
 */
final class DataLock implements AutoCloseable {
    private static final String NAME = ".agent.lock";
    private static final String START = ".agent.start";
    private static final int MODE = 0600;
    private static final int MAX_START_BYTES = 1024;

    private final Path data;
    private final LinuxFile file;
    private final Optional<String> lastStart;

    private DataLock(Path data, LinuxFile file, Optional<String> lastStart) {
        this.data = data;
        this.file = file;
        this.lastStart = lastStart;
    }

    /** @throws IOException the directory cannot be used, or another agent is at work on it */
    static DataLock take(Path data) throws IOException {
        Files.createDirectories(data.resolve("instances"));
        try (Directory directory = Directory.open(data)) {
            LinuxFile file = directory.openOrCreateFile(NAME, MODE);
            if (file.tryLock()) {
                return new DataLock(data, file, readStart(directory));
            }
            file.close();
            throw new IOException(data + ": another agent is at work on it: end that one first, or set "
                    + AgentProperties.PREFIX + ".data");
        }
    }

    private static Optional<String> readStart(Directory directory) throws IOException {
        try (LinuxFile file = directory.openFile(START)) {
            return Optional.of(new String(file.readAll(MAX_START_BYTES), StandardCharsets.UTF_8));
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** The token of the last start that was {@linkplain #noteStart noted} when the lock was taken. */
    Optional<String> lastStart() {
        return lastStart;
    }

    /** Notes this start by its token, once none before it may act any more: whoever follows it need not wait for those either. */
    void noteStart(String bootId) throws IOException {
        try (Directory directory = Directory.open(data)) {
            AtomicFile.write(directory, START, MODE, bootId.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
