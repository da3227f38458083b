package io.carlos.model.linux;

import com.sun.jna.Memory;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * An open regular file with one position that reads and writes move. Unlike a {@code FileChannel} it is not closed when
 * a thread that uses it is interrupted. Every call throws {@link LinuxException} when the kernel refuses it.
 */
public final class LinuxFile implements AutoCloseable {
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final Descriptor descriptor;

    private LinuxFile(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Takes over the descriptor, and closes it when it is of no regular file. */
    static LinuxFile regular(Descriptor descriptor) throws IOException {
        FileType type;
        try {
            type = descriptor.status().type();
        } catch (LinuxException e) {
            descriptor.close();
            throw e;
        }
        if (type != FileType.REGULAR) {
            descriptor.close();
            throw new WrongFileTypeException(descriptor.subject(), type);
        }
        return new LinuxFile(descriptor);
    }

    /** The path this file was opened by, for messages; it may have been renamed since. */
    public String shownPath() {
        return descriptor.subject();
    }

    /** Reads until the range is full or the file ends; the number of bytes read, 0 at the end. */
    public int read(byte[] target, int offset, int length) throws LinuxException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        int done = 0;
        try (Descriptor.Use use = descriptor.use();
                Memory buffer = new Memory(Math.min(length, BUFFER_LENGTH))) {
            while (done < length) {
                long wanted = Math.min(length - done, buffer.size());
                int count = (int) Libc.check("read", shownPath(), () -> Libc.read(use.number(), buffer, wanted));
                if (count == 0) {
                    break;
                }
                buffer.read(0, target, offset + done, count);
                done += count;
            }
        }
        return done;
    }

    /**
     * Reads what is left of the file, to its end.
     *
     * @param limit in bytes, less than 2 GiB
     * @throws IOException when there is more than the limit
     */
    public byte[] readAll(int limit) throws IOException {
        byte[] content = new byte[(int) Math.min(size(), limit) + 1];
        int length = 0;
        while (true) {
            length += read(content, length, content.length - length);
            if (length < content.length) {
                return Arrays.copyOf(content, length);
            }
            if (length > limit) {
                throw new IOException(this + ": expected at most " + limit + " bytes, found more");
            }
            content = Arrays.copyOf(content, (int) Math.min(2L * length, limit + 1L));
        }
    }

    /** Writes all of the range. */
    public void write(byte[] source, int offset, int length) throws LinuxException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length == 0) {
            return;
        }
        int done = 0;
        try (Descriptor.Use use = descriptor.use();
                Memory buffer = new Memory(Math.min(length, BUFFER_LENGTH))) {
            while (done < length) {
                int wanted = (int) Math.min(length - done, buffer.size());
                buffer.write(0, source, offset + done, wanted);
                done += (int) Libc.check("write", shownPath(), () -> Libc.write(use.number(), buffer, wanted));
            }
        }
    }

    public void write(byte[] source) throws LinuxException {
        write(source, 0, source.length);
    }

    /** Makes content and status durable; the name is durable once the directory is synced. */
    public void sync() throws LinuxException {
        try (Descriptor.Use use = descriptor.use()) {
            Libc.check("fsync", shownPath(), () -> Libc.fsync(use.number()));
        }
    }

    /** Makes content durable, and of the status what is needed to read it. */
    public void syncData() throws LinuxException {
        try (Descriptor.Use use = descriptor.use()) {
            Libc.check("fdatasync", shownPath(), () -> Libc.fdatasync(use.number()));
        }
    }

    /** In bytes. */
    public long size() throws LinuxException {
        return status().size();
    }

    public FileStatus status() throws LinuxException {
        return descriptor.status();
    }

    /**
     * Waits until nobody else holds the file by an opening of their own, threads of this process included, and holds it
     * until {@link #unlock}, {@link #close} or the end of the process. An interrupt does not end the waiting.
     */
    public void lock() throws LinuxException {
        flock(Libc.LOCK_EX);
    }

    /** As {@link #lock}, but answers false when it is held by somebody else. */
    public boolean tryLock() throws LinuxException {
        try {
            flock(Libc.LOCK_EX | Libc.LOCK_NB);
            return true;
        } catch (LinuxException e) {
            if (e.is(Errno.EAGAIN)) {
                return false;
            }
            throw e;
        }
    }

    public void unlock() throws LinuxException {
        flock(Libc.LOCK_UN);
    }

    private void flock(int operation) throws LinuxException {
        try (Descriptor.Use use = descriptor.use()) {
            Libc.check("flock", shownPath(), () -> Libc.flock(use.number(), operation));
        }
    }

    /** Closes the file and lets go of its lock, after calls that are under way in other threads. */
    @Override
    public void close() throws LinuxException {
        descriptor.close();
    }

    @Override
    public String toString() {
        return Printable.of(shownPath());
    }
}
