package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import java.util.List;
import java.util.Map;

/**
 * Starts processes with {@code posix_spawn}, which neither copies the JVM's memory nor runs JVM code in the child. The
 * child leads a session and process group of its own; every signal has its default disposition and none is blocked;
 * its working directory is the one asked for; standard input is {@code /dev/null}, standard output and error are pipes,
 * and it has no other descriptor.
 */
public final class PosixSpawn {
    /** More than glibc's own structures take on any architecture: 336, 80 and 128 bytes on x86_64. */
    private static final int SIZE_OF_ATTRIBUTES = 1024;

    private static final int SIZE_OF_FILE_ACTIONS = 256;
    private static final int SIZE_OF_SIGNAL_SET = 128;

    private static final int SIGCHLD = 17;
    private static final short FLAGS =
            Libc.POSIX_SPAWN_SETSID | Libc.POSIX_SPAWN_SETSIGDEF | Libc.POSIX_SPAWN_SETSIGMASK;

    static {
        // A JVM whose parent ignored SIGCHLD inherits that, and the kernel would then throw away how its children
        // ended. The JDK does the same before its own first child.
        Libc.signal(SIGCHLD, Pointer.NULL);
    }

    private PosixSpawn() {}

    /**
     * Starts the process; when it returns, the program has been executed.
     *
     * @throws ProcessCallException when the program could not be executed, with the error of {@code execve(2)}, or when
     *     the system lacks what a process needs; nothing is left of it
     */
    public static SpawnedProcess spawn(SpawnRequest request) throws ProcessCallException {
        OutputPipe stdout = OutputPipe.open();
        try {
            OutputPipe stderr = OutputPipe.open();
            try {
                ChildProcess child = new ChildProcess(spawn(request, stdout.writeEnd(), stderr.writeEnd()));
                return new SpawnedProcess(child, stdout.reader(), stderr.reader());
            } catch (ProcessCallException | RuntimeException e) {
                stderr.reader().close();
                throw e;
            } finally {
                stderr.closeWriteEnd();
            }
        } catch (ProcessCallException | RuntimeException e) {
            stdout.reader().close();
            throw e;
        } finally {
            stdout.closeWriteEnd();
        }
    }

    private static int spawn(SpawnRequest request, int stdout, int stderr) throws ProcessCallException {
        try (Memory actions = new Memory(SIZE_OF_FILE_ACTIONS);
                Memory attributes = new Memory(SIZE_OF_ATTRIBUTES);
                StringArray argv = texts(request.argv());
                StringArray environment = texts(assignments(request.environment()))) {
            // All zero is a list without actions, so that it can be destroyed whatever fails first.
            actions.clear();
            try {
                fillFileActions(actions, request, stdout, stderr);
                fillAttributes(attributes);
                int[] pid = new int[1];
                byte[] program = Libc.terminated(request.program());
                requireZero(request.program(), Libc.posix_spawn(pid, program, actions, attributes, argv, environment));
                return pid[0];
            } finally {
                Libc.posix_spawnattr_destroy(attributes);
                Libc.posix_spawn_file_actions_destroy(actions);
            }
        }
    }

    private static void fillFileActions(Memory actions, SpawnRequest request, int stdout, int stderr)
            throws ProcessCallException {
        String subject = "the descriptors of " + request.program();
        byte[] directory = Libc.terminated(request.workingDirectory().toString());
        byte[] devNull = Libc.terminated("/dev/null");
        requireZero(subject, Libc.posix_spawn_file_actions_init(actions));
        requireZero(subject, Libc.posix_spawn_file_actions_addopen(actions, 0, devNull, Libc.O_RDONLY, 0));
        requireZero(subject, Libc.posix_spawn_file_actions_adddup2(actions, stdout, 1));
        requireZero(subject, Libc.posix_spawn_file_actions_adddup2(actions, stderr, 2));
        requireZero(subject, Libc.posix_spawn_file_actions_addclosefrom_np(actions, 3));
        requireZero(subject, Libc.posix_spawn_file_actions_addchdir_np(actions, directory));
    }

    private static void fillAttributes(Memory attributes) throws ProcessCallException {
        String subject = "the signals of a child";
        try (Memory signals = new Memory(SIZE_OF_SIGNAL_SET)) {
            requireZero(subject, Libc.posix_spawnattr_init(attributes));
            requireZero(subject, Libc.posix_spawnattr_setflags(attributes, FLAGS));
            // Not sigfillset: it leaves out the two signals glibc keeps for its threads, and a JVM may ignore those.
            signals.setMemory(0, SIZE_OF_SIGNAL_SET, (byte) 0xff);
            requireZero(subject, Libc.posix_spawnattr_setsigdefault(attributes, signals));
            signals.clear();
            requireZero(subject, Libc.posix_spawnattr_setsigmask(attributes, signals));
        }
    }

    private static void requireZero(String subject, int errno) throws ProcessCallException {
        if (errno != 0) {
            throw new ProcessCallException("posix_spawn", subject, errno);
        }
    }

    private static List<String> assignments(Map<String, String> environment) {
        return environment.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
    }

    private static StringArray texts(List<String> texts) {
        return new StringArray(texts.toArray(String[]::new), "UTF-8");
    }
}
