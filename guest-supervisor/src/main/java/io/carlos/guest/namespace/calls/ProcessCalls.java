package io.carlos.guest.namespace.calls;

import io.carlos.model.start.ArgumentBlock;

/** Calls on processes and signals. A result below zero is an {@linkplain Errno error number}, negated. */
public interface ProcessCalls {
    int PROTECTION_READ_WRITE = 3;
    int PROTECTION_READ_EXECUTE = 5;
    int PROTECTION_READ_WRITE_EXECUTE = 7;

    int processId();

    int parentId();

    /** The process's environment, {@code KEY=value} each, without ending NUL. */
    byte[][] environment();

    /** @return 0 in the child, its process id in the parent */
    int fork();

    /**
     * Replaces this program by the one at the path {@code argv[0]}. It returns only when that failed.
     *
     * @param argv without ending NUL, as the next one
     */
    int execute(byte[][] argv, byte[][] environment);

    /** As the other of this name, for a program at a path that need not be its first argument. */
    int execute(String program, ArgumentBlock arguments);

    /** Ends the process at once; nothing that is registered for its end runs. */
    void exit(int status);

    /** Makes a pipe that no executed program inherits: {@code ends[0]} to read, {@code ends[1]} to write. */
    int pipe(int[] ends);

    /** Waits for a child's end. {@code status[0]} becomes its wait status. Allocates nothing. */
    int waitFor(int child, int[] status);

    /**
     * Takes the end of any child that has ended, without waiting for one. {@code status[0]} becomes its wait status.
     * Allocates nothing.
     *
     * @return the child's process id, 0 when none has ended
     */
    int reap(int[] status);

    int kill(int process, int signal);

    /** Makes this process the leader of a process group of its own. */
    int leadProcessGroup();

    /** Makes orphans below this process its children, as those of a namespace are of its process 1. */
    int adoptOrphans();

    /** Keeps all signals pending from now on. */
    int blockSignals();

    int unblockSignals();

    /** Gives every signal the disposition that it has by default. */
    void resetSignals();

    /** Waits for any blocked signal and takes it. Allocates nothing. */
    int awaitSignal();

    /** Leaves the namespaces that the flags of {@code unshare(2)} stand for. */
    int unshare(int namespaces);

    /** Maps a page of anonymous memory with a protection, and unmaps it if that worked. */
    int tryMemory(int protection);

    /** Maps a page of anonymous memory to read and write, then tries to change its protection. */
    int tryProtection(int protection);
}
