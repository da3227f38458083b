package io.carlos.guest.namespace.start;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.start.StartStep;
import io.carlos.model.text.CString;
import java.nio.charset.StandardCharsets;

/**
 * What a shell would execute for a command's name: asked as the real user, from the working directory. Every candidate is
 * put together in the same place: a user's path may have tens of thousands, and no memory is given back before the end.
 */
final class ProgramSearch {
    /** The longest path that the kernel takes, with the NUL that ends it. */
    private static final int PATH_BYTES = 4096;

    private final Syscalls calls;
    private final byte[] candidate = new byte[PATH_BYTES];
    private int length;

    ProgramSearch(Syscalls calls) {
        this.calls = calls;
    }

    static boolean isPath(String text) {
        return CString.bytes(text).length < PATH_BYTES;
    }

    /**
     * Looks the name up: one with a slash is taken as it is, any other is looked for in the directories of the path in
     * order, of which an empty one means the working directory.
     *
     * @param name UTF-8
     * @return as the kernel should be given it
     * @throws StartStepFailed with ENOENT when there is no such file, with EACCES when there is but none that is no
     *     directory and may be executed
     */
    String find(byte[] name, String searchPath) {
        int error = name.length == 0 ? Errno.ENOENT : search(name, searchPath);
        if (error != 0) {
            throw new StartStepFailed(StartStep.PROGRAM, error);
        }
        return new String(candidate, 0, length, StandardCharsets.UTF_8);
    }

    /** @return 0 when the candidate is what was looked for */
    private int search(byte[] name, String searchPath) {
        if (indexOf(name, '/', 0) < name.length) {
            length = 0;
            append(name, 0, name.length);
            return inspect();
        }
        byte[] path = CString.bytes(searchPath);
        int best = Errno.ENOENT;
        int end;
        for (int start = 0; start <= path.length; start = end + 1) {
            end = indexOf(path, ':', start);
            length = 0;
            if (start == end) {
                append('.');
            } else {
                append(path, start, end);
            }
            append('/');
            append(name, 0, name.length);
            int error = inspect();
            if (error == 0) {
                return 0;
            }
            best = error == Errno.EACCES ? error : best;
        }
        return best;
    }

    private static int indexOf(byte[] text, char wanted, int start) {
        int index = start;
        while (index < text.length && text[index] != wanted) {
            index++;
        }
        return index;
    }

    private void append(byte[] text, int start, int end) {
        for (int i = start; i < end; i++) {
            append((char) text[i]);
        }
    }

    /** The length goes on where there is no room, so that it tells so. */
    private void append(char character) {
        if (length < PATH_BYTES) {
            candidate[length] = (byte) character;
        }
        length++;
    }

    /** Whether there was room for the candidate, which then ends in NUL. */
    private boolean terminate() {
        if (length < PATH_BYTES) {
            candidate[length] = 0;
        }
        return length < PATH_BYTES;
    }

    private int inspect() {
        if (!terminate() || calls.access(candidate, FileCalls.EXISTING) != 0) {
            return Errno.ENOENT;
        }
        return !isDirectory() && calls.access(candidate, FileCalls.EXECUTABLE) == 0 ? 0 : Errno.EACCES;
    }

    private boolean isDirectory() {
        int whole = length;
        append('/');
        append('.');
        boolean directory = terminate() && calls.access(candidate, FileCalls.EXISTING) == 0;
        length = whole;
        terminate();
        return directory;
    }
}
