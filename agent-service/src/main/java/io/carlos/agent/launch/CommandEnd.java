package io.carlos.agent.launch;

/**
 * How a command ended.
 *
 * @param note one sentence the result should carry beside the end, such as that background processes were stopped; empty for none
 */
public sealed interface CommandEnd {
    String note();

    /** @param status 0 to 255 */
    record Exited(int status, String note) implements CommandEnd {}

    /** @param signal the number of the signal, 1 to 64 */
    record Killed(int signal, String note) implements CommandEnd {}

    /** The backend lost the command: nothing of it runs, and nothing tells how it ended. */
    record Lost(String note) implements CommandEnd {}
}
