package io.carlos.guest.namespace.calls;

/**
 * Calls on files. A result below zero is an {@linkplain Errno error number}, negated. Names are encoded as UTF-8 and hold
 * no NUL.
 */
public interface FileCalls {
    /** In place of a directory: names start where the process is, or are absolute. */
    int WORKING_DIRECTORY = -100;

    int READABLE = 4;
    int WRITABLE = 2;
    int EXECUTABLE = 1;
    int EXISTING = 0;

    /** @return the descriptor */
    int open(int directory, String name, OpenMode mode);

    int close(int descriptor);

    /** No program that is executed inherits a descriptor from this number on. */
    int closeOnExecuteFrom(int first);

    int changeDirectory(String path);

    /** @return the number of bytes read into the buffer from the offset on, 0 at the end of the file */
    int read(int descriptor, byte[] buffer, int offset, int length);

    /** @return the number of bytes written, which may be fewer than asked for */
    int write(int descriptor, byte[] buffer, int offset, int length);

    int chmod(int descriptor, int mode);

    /** Removes a name that is no directory's. */
    int unlink(int directory, String name);

    /** Gives a file another name in the same directory, in place of what had that name. */
    int rename(int directory, String from, String to);

    int symlink(String target, int directory, String name);

    /** @return the number of bytes of the link's target that were put into the buffer */
    int readLink(String path, byte[] buffer);

    /** Whether the process may read, write or execute, asked as its real user: 0 or an error. */
    int access(String path, int mode);

    /**
     * Reads more entries of a directory, in the layout of {@code getdents64(2)}.
     *
     * @return the number of bytes, 0 when there are no more entries
     */
    int readEntries(int directory, byte[] buffer);
}
