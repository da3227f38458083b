package io.carlos.guest.namespace.start;

import io.carlos.guest.namespace.calls.CString;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.text.Utf8;

/** What a shell would execute for a command's name: asked as the real user, from the working directory. */
final class ProgramSearch {
    /** The longest path that the kernel takes, with the NUL that ends it. */
    private static final int PATH_BYTES = 4096;

    private final Syscalls calls;

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
     * @return as the kernel should be given it
     * @throws StartStepFailed with ENOENT when there is no such file, with EACCES when there is but none that is no
     *     directory and may be executed
     */
    String find(byte[] utf8, String path) {
        String name = Utf8.decode(utf8);
        if (name == null || name.isEmpty()) {
            throw new StartStepFailed(StartStep.PROGRAM, Errno.ENOENT);
        }
        if (name.indexOf('/') >= 0) {
            int error = inspect(name);
            if (error != 0) {
                throw new StartStepFailed(StartStep.PROGRAM, error);
            }
            return name;
        }
        int best = Errno.ENOENT;
        int start = 0;
        while (start <= path.length()) {
            int colon = path.indexOf(':', start);
            int end = colon < 0 ? path.length() : colon;
            String candidate = end == start ? "./" + name : path.substring(start, end) + "/" + name;
            int error = inspect(candidate);
            if (error == 0) {
                return candidate;
            }
            best = error == Errno.EACCES ? error : best;
            start = end + 1;
        }
        throw new StartStepFailed(StartStep.PROGRAM, best);
    }

    private int inspect(String path) {
        if (!isPath(path) || calls.access(path, FileCalls.EXISTING) != 0) {
            return Errno.ENOENT;
        }
        boolean directory = isPath(path + "/.") && calls.access(path + "/.", FileCalls.EXISTING) == 0;
        return !directory && calls.access(path, FileCalls.EXECUTABLE) == 0 ? 0 : Errno.EACCES;
    }
}
