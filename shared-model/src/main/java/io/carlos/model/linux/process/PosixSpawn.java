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
 * first three, and the one of its {@link ChildChannel} where there is one.
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
            ChildProcess child =
                    new ChildProcess(spawn(request, new Descriptors(ChildPipes.NO_STDIN, pipes, Optional.empty())));
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
        return spawnPiped(request, owner, Optional.empty());
    }

    /**
     * As the other of this name, with a channel as the descriptor behind the first three. When it returns, the child alone
     * has the child's end.
     */
    public static PipedProcess spawnPiped(SpawnRequest request, UserIdentity owner, ChildChannel channel)
            throws ProcessCallException {
        PipedProcess process = spawnPiped(request, Optional.of(owner), Optional.of(channel));
        channel.closeChildsEnd();
        return process;
    }

    /** As the one before, with pipes that stay this process's. */
    public static PipedProcess spawnPiped(SpawnRequest request, ChildChannel channel) throws ProcessCallException {
        PipedProcess process = spawnPiped(request, Optional.empty(), Optional.of(channel));
        channel.closeChildsEnd();
        return process;
    }

    private static PipedProcess spawnPiped(
            SpawnRequest request, Optional<UserIdentity> owner, Optional<ChildChannel> channel)
            throws ProcessCallException {
        try (ChildPipes pipes = ChildPipes.open();
                InputPipe stdin = InputPipe.open()) {
            if (owner.isPresent()) {
                pipes.giveTo(owner.get());
                stdin.giveTo(owner.get());
            }
            ChildProcess child = new ChildProcess(spawn(request, new Descriptors(stdin.readEnd(), pipes, channel)));
            SpawnedProcess output = pipes.handOver(child);
            return new PipedProcess(child, stdin.handOver(), output.stdout(), output.stderr());
        }
    }

    /** What a child has open. */
    private record Descriptors(int stdin, ChildPipes pipes, Optional<ChildChannel> channel) {
        /** The first that it does not have. */
        int count() {
            return channel.isPresent() ? ChildChannel.DESCRIPTOR + 1 : ChildChannel.DESCRIPTOR;
        }
    }

    private static int spawn(SpawnRequest request, Descriptors descriptors) throws ProcessCallException {
        try (Memory actions = new Memory(SIZE_OF_FILE_ACTIONS);
                Memory attributes = new Memory(SIZE_OF_ATTRIBUTES);
                StringArray argv = texts(request.argv());
                StringArray environment = texts(assignments(request.environment()))) {
            // All zero is a list without actions, so that it can be destroyed whatever fails first.
            actions.clear();
            try {
                fillFileActions(actions, request, descriptors);
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

    private static void fillFileActions(Memory actions, SpawnRequest request, Descriptors descriptors)
            throws ProcessCallException {
        String subject = "the descriptors of " + request.program();
        byte[] directory = Libc.terminated(request.workingDirectory().toString());
        requireZero(subject, Libc.posix_spawn_file_actions_init(actions));
        if (descriptors.stdin() == ChildPipes.NO_STDIN) {
            byte[] devNull = Libc.terminated("/dev/null");
            requireZero(subject, Libc.posix_spawn_file_actions_addopen(actions, 0, devNull, Libc.O_RDONLY, 0));
        } else {
            requireZero(subject, Libc.posix_spawn_file_actions_adddup2(actions, descriptors.stdin(), 0));
        }
        requireZero(
                subject,
                Libc.posix_spawn_file_actions_adddup2(
                        actions, descriptors.pipes().stdout(), 1));
        requireZero(
                subject,
                Libc.posix_spawn_file_actions_adddup2(
                        actions, descriptors.pipes().stderr(), 2));
        if (descriptors.channel().isPresent()) {
            int childsEnd = descriptors.channel().get().childsEnd();
            requireZero(subject, Libc.posix_spawn_file_actions_adddup2(actions, childsEnd, ChildChannel.DESCRIPTOR));
        }
        requireZero(subject, Libc.posix_spawn_file_actions_addclosefrom_np(actions, descriptors.count()));
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
