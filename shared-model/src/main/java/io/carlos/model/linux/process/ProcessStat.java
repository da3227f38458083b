package io.carlos.model.linux.process;

import java.nio.charset.StandardCharsets;

/**
 * What {@code /proc/<pid>/stat} says of a process, see proc_pid_stat(5).
 *
 * @param command the name of its program, cut to 15 bytes, and any text the process likes
 * @param state one letter
 * @param startTime clock ticks from the system's boot to its start
 * @param hasNoEnvironmentYet it is in the midst of execve(2), when the new program's memory is not filled yet; means
 *     nothing of a process whose environment may not be read
 */
public record ProcessStat(
        int pid,
        String command,
        char state,
        int parent,
        int group,
        int session,
        int threads,
        long startTime,
        boolean hasNoEnvironmentYet) {
    private static final int STATE = 0;
    private static final int PARENT = 1;
    private static final int GROUP = 2;
    private static final int SESSION = 3;
    private static final int THREADS = 17;
    private static final int START_TIME = 19;
    private static final int VIRTUAL_SIZE = 20;
    private static final int END_OF_ENVIRONMENT = 48;

    static ProcessStat parse(byte[] content) {
        String line = new String(content, StandardCharsets.UTF_8);
        // The command may itself have spaces and parentheses; what follows it has none.
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        String[] fields = line.substring(close + 2).split(" ", -1);
        return new ProcessStat(
                Integer.parseInt(line.substring(0, open - 1)),
                line.substring(open + 1, close),
                fields[STATE].charAt(0),
                Integer.parseInt(fields[PARENT]),
                Integer.parseInt(fields[GROUP]),
                Integer.parseInt(fields[SESSION]),
                Integer.parseInt(fields[THREADS]),
                Long.parseLong(fields[START_TIME]),
                !fields[VIRTUAL_SIZE].equals("0") && fields[END_OF_ENVIRONMENT].equals("0"));
    }

    /** Nothing of it runs any more; its parent has only not asked yet how it ended. */
    public boolean isDead() {
        return mainThreadIsDead() && threads <= 1;
    }

    /** It was stopped by a signal, so that it neither runs nor forks. */
    public boolean isStopped() {
        return state == 'T' || state == 't';
    }

    /** Other threads may outlive the main one, whose state then says nothing of theirs. */
    public boolean mainThreadIsDead() {
        return state == 'Z' || state == 'X';
    }

    public Identity identity() {
        return new Identity(pid, startTime);
    }

    /** One process, however often its number is given out again. */
    public record Identity(int pid, long startTime) {}
}
