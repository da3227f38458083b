package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts processes with {@code posix_spawn}, which neither copies the JVM's memory nor runs JVM code in the child. The
 * child leads a session and process group of its own; every signal has its default disposition and none is blocked;
 * its working directory is the one asked for; standard output and error are pipes, and it has no descriptor but the
 * first three.
 */
public final class PosixSpawn {
    /** More than glibc's own structures take on any architecture: 336, 80 and 128 bytes on x86_64. */
    private static final int SIZE_OF_ATTRIBUTES = 1024;

    private static final int SIZE_OF_FILE_ACTIONS = 256;
    private static final int SIZE_OF_SIGNAL_SET = 128;

    private static final int SIGCHLD = 17;
    /** Where the real ids are the effective ones, resetting them changes nothing. */
    private static final short FLAGS = Libc.POSIX_SPAWN_RESETIDS
            | Libc.POSIX_SPAWN_SETSID
            | Libc.POSIX_SPAWN_SETSIGDEF
            | Libc.POSIX_SPAWN_SETSIGMASK;

    static {
        // A JVM whose parent ignored SIGCHLD inherits that, and the kernel would then throw away how its children
        // ended. The JDK does the same before its own first child.
        Libc.signal(SIGCHLD, Pointer.NULL);
    }

    private PosixSpawn() {}

    /**
     * Starts the process, with {@code /dev/null} as its standard input; when it returns, the program has been executed.
     *
     * @throws ProcessCallException when the program could not be executed, with the error of {@code execve(2)}, or when
     *     the system lacks what a process needs; nothing is left of it
     */
    public static SpawnedProcess spawn(SpawnRequest request) throws ProcessCallException {
        try (ChildPipes pipes = ChildPipes.open()) {
            ChildProcess child = new ChildProcess(spawn(request, ChildPipes.NO_STDIN, pipes));
            return pipes.handOver(child);
        }
    }

    /**
     * As {@link #spawn}, with a pipe as standard input.
     *
     * <p>The process runs under the real ids of the calling thread, also when the effective ones differ: see
     * {@link StarterThread}.
     *
     * @param owner whose the pipes are, so that the process may open them by name; empty: this process's
     */
    public static PipedProcess spawnPiped(SpawnRequest request, Optional<UserIdentity> owner)
            throws ProcessCallException {
        try (ChildPipes pipes = ChildPipes.open();
                InputPipe stdin = InputPipe.open()) {
            if (owner.isPresent()) {
                pipes.giveTo(owner.get());
                stdin.giveTo(owner.get());
            }
            ChildProcess child = new ChildProcess(spawn(request, stdin.readEnd(), pipes));
            SpawnedProcess output = pipes.handOver(child);
            return new PipedProcess(child, stdin.handOver(), output.stdout(), output.stderr());
        }
    }

    private static int spawn(SpawnRequest request, int stdin, ChildPipes pipes) throws ProcessCallException {
        try (Memory actions = new Memory(SIZE_OF_FILE_ACTIONS);
                Memory attributes = new Memory(SIZE_OF_ATTRIBUTES);
                StringArray argv = texts(request.argv());
                StringArray environment = texts(assignments(request.environment()))) {
            // All zero is a list without actions, so that it can be destroyed whatever fails first.
            actions.clear();
            try {
                fillFileActions(actions, request, stdin, pipes);
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

    private static void fillFileActions(Memory actions, SpawnRequest request, int stdin, ChildPipes pipes)
            throws ProcessCallException {
        String subject = "the descriptors of " + request.program();
        byte[] directory = Libc.terminated(request.workingDirectory().toString());
        requireZero(subject, Libc.posix_spawn_file_actions_init(actions));
        if (stdin == ChildPipes.NO_STDIN) {
            byte[] devNull = Libc.terminated("/dev/null");
            requireZero(subject, Libc.posix_spawn_file_actions_addopen(actions, 0, devNull, Libc.O_RDONLY, 0));
        } else {
            requireZero(subject, Libc.posix_spawn_file_actions_adddup2(actions, stdin, 0));
        }
        requireZero(subject, Libc.posix_spawn_file_actions_adddup2(actions, pipes.stdout(), 1));
        requireZero(subject, Libc.posix_spawn_file_actions_adddup2(actions, pipes.stderr(), 2));
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
