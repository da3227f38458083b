package io.carlos.agent.container.microvm;

import io.carlos.model.linux.process.OutputPumps;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** What a program says: the beginning of it in a file, and its last lines for whoever asks why it ended. */
final class ProgramLog implements OutputPumps.Sink, AutoCloseable {
    private static final int LARGEST_FILE = 1024 * 1024;
    private static final int KEPT = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final OutputStream file;
    private final StringBuilder tail = new StringBuilder();
    private int written;
    private boolean closed;

    ProgramLog(Path path) throws IOException {
        file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void write(byte[] bytes, int length) {
        lock.lock();
        try {
            tail.append(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
            if (tail.length() > KEPT) {
                tail.delete(0, tail.length() - KEPT);
            }
            int room = Math.min(length, LARGEST_FILE - written);
            if (room > 0 && !closed) {
                file.write(bytes, 0, room);
                written += room;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** Whatever was printed, as printable text. */
    List<String> lastLines(int count) {
        lock.lock();
        try {
            List<String> lines = tail.toString()
                    .lines()
                    .map(line -> line.replaceAll("[\\p{Cntrl}\\x{80}-\\x{ff}]", "?"))
                    .toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            file.close();
        } finally {
            lock.unlock();
        }
    }
}
