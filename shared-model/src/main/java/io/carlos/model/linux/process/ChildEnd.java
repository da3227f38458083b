package io.carlos.model.linux.process;

/** How a child process ended. */
public sealed interface ChildEnd {
    /** @param status 0 to 255 */
    record Exited(int status) implements ChildEnd {}

    /** @param signal the number of the signal, whether or not it left a core file */
    record Killed(int signal) implements ChildEnd {}
}
