package io.carlos.guest.namespace.trampoline;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.text.CString;
import java.util.List;

/** Starts a command as a child. All signals are blocked meanwhile, so none gets lost or ends a half-started child. */
final class ChildStarter {
    static final int NOT_EXECUTABLE = 126;
    static final int NOT_THERE = 127;

    private static final int UNREPORTED = 125;

    private final Syscalls calls;

    ChildStarter(Syscalls calls) {
        this.calls = calls;
    }

    /**
     * Returns once the command runs.
     *
     * @return the child's process id
     * @throws RefusedException when the program cannot be executed; the child is gone then
     */
    int start(LaunchFile launch) {
        byte[][] argv = vector(launch.argv());
        byte[][] environment = vector(launch.env());
        // The kernel closes the pipe when it executes the program. So nothing in it means that the command runs, and a
        // program that cannot be executed differs from one that exits with 126 or 127.
        int[] pipe = new int[2];
        CallFailedException.check(calls, "pipe", calls.pipe(pipe));
        int child = CallFailedException.check(calls, "fork", calls.fork());
        if (child == 0) {
            becomeTheCommand(argv, environment, pipe[1]);
        }
        calls.close(pipe[1]);
        byte[] failure = new byte[1];
        int count = calls.read(pipe[0], failure, 0, 1);
        calls.close(pipe[0]);
        if (count != 0) {
            calls.waitFor(child, new int[1]);
            int errno = failure[0] & 0xff;
            throw new RefusedException(
                    "execute " + launch.argv().get(0) + ": " + calls.describe(errno) + " (errno " + errno + ")",
                    errno == Errno.ENOENT ? NOT_THERE : NOT_EXECUTABLE);
        }
        return child;
    }

    private void becomeTheCommand(byte[][] argv, byte[][] environment, int failures) {
        // Away from this process's group: a command that signals its own group would otherwise signal the trampoline,
        // which would forward that to the command, and so on.
        calls.leadProcessGroup();
        calls.unblockSignals();
        int result = -Errno.ENOMEM;
        try {
            result = calls.execute(argv, environment);
        } finally {
            // Whatever happened: this copy of the trampoline must not go on as if it were the trampoline.
            calls.write(failures, new byte[] {(byte) -result}, 0, 1);
            calls.exit(UNREPORTED);
        }
    }

    private static byte[][] vector(List<String> texts) {
        byte[][] vector = new byte[texts.size()][];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = CString.bytes(texts.get(i));
        }
        return vector;
    }
}
