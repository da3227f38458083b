package io.carlos.guest.namespace.calls;

import io.carlos.model.start.ArgumentBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Real files, and a process whose child and signals do what a test says. */
public class ScriptedProcess extends JnaSyscalls {
    public static final int CHILD = 100;
    public static final int PIPE_TO_READ = 1_000_001;
    public static final int PIPE_TO_WRITE = 1_000_002;

    /** What was called, in order, of what this class scripts. */
    public final List<String> log = new ArrayList<>();

    /** Run when the trampoline forks. */
    public Runnable atFork = () -> {};

    /** What {@link #fork} answers. */
    public int forked = CHILD;

    /** What {@link #execute} answers, in the child's own pipe; 0 when it works. */
    public int executeError;

    public int processId = 1;

    private final Deque<Integer> signals = new ArrayDeque<>();
    private final Deque<int[]> ends = new ArrayDeque<>();

    /** Thrown where the process would end; it is no exception, so that nobody handles it. */
    public static final class Gone extends Error {
        private static final long serialVersionUID = 1L;
    }

    public ScriptedProcess(String... environment) {
        super(environment);
    }

    /** The next signal that comes. */
    public ScriptedProcess signal(int signal) {
        signals.add(signal);
        return this;
    }

    /** The next signal that comes is SIGCHLD, by when these children have ended, as process id and wait status. */
    public ScriptedProcess ended(int... processAndStatus) {
        for (int i = 0; i < processAndStatus.length; i += 2) {
            ends.add(new int[] {processAndStatus[i], processAndStatus[i + 1], signals.size() + 1});
        }
        return signal(Signals.CHLD);
    }

    @Override
    public int processId() {
        return processId;
    }

    @Override
    public int blockSignals() {
        log.add("block");
        return 0;
    }

    @Override
    public int unblockSignals() {
        log.add("unblock");
        return 0;
    }

    @Override
    public void resetSignals() {
        log.add("reset");
    }

    @Override
    public int adoptOrphans() {
        log.add("adopt");
        return 0;
    }

    @Override
    public int leadProcessGroup() {
        log.add("group");
        return 0;
    }

    @Override
    public int fork() {
        log.add("fork");
        atFork.run();
        return forked;
    }

    @Override
    public int execute(byte[][] argv, byte[][] variables) {
        List<String> words = new ArrayList<>();
        for (byte[] argument : argv) {
            words.add(text(argument));
        }
        words.add("with");
        for (byte[] variable : variables) {
            words.add(text(variable));
        }
        log.add("execute " + String.join(" ", words));
        return executeError;
    }

    @Override
    public int execute(String program, ArgumentBlock arguments) {
        byte[] bytes = Arrays.copyOfRange(arguments.bytes(), arguments.start(), arguments.bytes().length - 1);
        List<String> words = new ArrayList<>(List.of(text(bytes).split("\0", -1)));
        words.add(arguments.arguments(), "with");
        log.add("execute " + program + " as " + String.join(" ", words));
        return executeError;
    }

    @Override
    public void exit(int status) {
        log.add("exit " + status);
        throw new Gone();
    }

    @Override
    public int pipe(int[] pipeEnds) {
        pipeEnds[0] = PIPE_TO_READ;
        pipeEnds[1] = PIPE_TO_WRITE;
        return 0;
    }

    @Override
    public int read(int descriptor, byte[] buffer, int offset, int length) {
        if (descriptor != PIPE_TO_READ) {
            return super.read(descriptor, buffer, offset, length);
        }
        log.add("read pipe");
        buffer[offset] = (byte) -executeError;
        return executeError == 0 ? 0 : 1;
    }

    @Override
    public int write(int descriptor, byte[] buffer, int offset, int length) {
        if (descriptor != PIPE_TO_WRITE) {
            return super.write(descriptor, buffer, offset, length);
        }
        log.add("write pipe " + buffer[offset]);
        return length;
    }

    @Override
    public int close(int descriptor) {
        return descriptor == PIPE_TO_READ || descriptor == PIPE_TO_WRITE ? 0 : super.close(descriptor);
    }

    @Override
    public int waitFor(int child, int[] status) {
        log.add("wait " + child);
        return child;
    }

    @Override
    public int awaitSignal() {
        for (int[] end : ends) {
            end[2]--;
        }
        return signals.remove();
    }

    @Override
    public int reap(int[] status) {
        int[] end = ends.peek();
        if (end == null || end[2] > 0) {
            return 0;
        }
        ends.remove();
        log.add("reap " + end[0]);
        status[0] = end[1];
        return end[0];
    }

    @Override
    public int kill(int process, int signal) {
        log.add("kill " + process + " " + signal);
        return 0;
    }
}
