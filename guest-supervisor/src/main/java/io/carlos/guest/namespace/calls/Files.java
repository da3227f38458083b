package io.carlos.guest.namespace.calls;

import java.util.Arrays;

/** Whole files and directories, read and written where a tenant can write too. */
public final class Files {
    private static final int PUBLIC_MODE = 0644;
    private static final int CHUNK = 16 * 1024;

    private final Syscalls calls;

    public Files(Syscalls calls) {
        this.calls = calls;
    }

    /** @return the descriptor of a directory, whose last part is no link */
    public int openDirectory(String path) {
        return open(FileCalls.WORKING_DIRECTORY, path, OpenMode.DIRECTORY);
    }

    /** The error that opening ends in, negated, or 0 when it can be opened. */
    public int tryOpen(String path, OpenMode mode) {
        int descriptor = calls.open(FileCalls.WORKING_DIRECTORY, path, mode);
        if (descriptor < 0) {
            return descriptor;
        }
        calls.close(descriptor);
        return 0;
    }

    /**
     * Reads a file.
     *
     * @param limit no more than this many bytes are read
     */
    public byte[] read(int directory, String name, OpenMode mode, int limit) {
        int descriptor = open(directory, name, mode);
        try {
            byte[] buffer = new byte[Math.min(CHUNK, limit)];
            int length = 0;
            while (length < limit) {
                if (length == buffer.length) {
                    buffer = Arrays.copyOf(buffer, Math.min(limit, 4 * length));
                }
                int count = check("read " + name, calls.read(descriptor, buffer, length, buffer.length - length));
                if (count == 0) {
                    break;
                }
                length += count;
            }
            return Arrays.copyOf(buffer, length);
        } finally {
            calls.close(descriptor);
        }
    }

    /** Writes a file that is not there yet; one that is there stays as it is, and is an error. */
    public void create(int directory, String name, byte[] content) {
        int descriptor = open(directory, name, OpenMode.CREATE);
        try {
            // Whatever file mode creation mask the unit has: others read the file.
            check("chmod " + name, calls.chmod(descriptor, PUBLIC_MODE));
            int written = 0;
            while (written < content.length) {
                written += check("write " + name, calls.write(descriptor, content, written, content.length - written));
            }
        } finally {
            calls.close(descriptor);
        }
    }

    /**
     * Writes a file in place of the one before; a reader sees the one or the other. The tenant may have put anything
     * under the temporary name: a FIFO would hold this process and a link lead it elsewhere, so the name is removed and
     * the file created under it.
     */
    public void replace(int directory, String name, byte[] content) {
        String temporary = "." + name + ".tmp";
        calls.unlink(directory, temporary);
        create(directory, temporary, content);
        check("rename " + temporary, calls.rename(directory, temporary, name));
    }

    private int open(int directory, String name, OpenMode mode) {
        return check("open " + name, calls.open(directory, name, mode));
    }

    private int check(String call, int result) {
        return CallFailedException.check(calls, call, result);
    }
}
