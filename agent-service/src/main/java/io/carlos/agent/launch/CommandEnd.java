package io.carlos.agent.launch;

/**
 * How a command ended.
 *
 * @param note one sentence the result should carry beside the end, such as that background processes were stopped; empty for none
 */
public sealed interface CommandEnd {
    String note();

    /** The same end with another note. */
    CommandEnd withNote(String other);

    /** @param status 0 to 255 */
    record Exited(int status, String note) implements CommandEnd {
        @Override
        public Exited withNote(String other) {
            return new Exited(status, other);
        }
    }

    /** @param signal the number of the signal, 1 to 64 */
    record Killed(int signal, String note) implements CommandEnd {
        @Override
        public Killed withNote(String other) {
            return new Killed(signal, other);
        }
    }

    /**
     * The platform ended it, or never came to start it; how it ended does not matter.
     *
     * @param reason the result's {@code interrupted}
     */
    record Interrupted(String reason, String note) implements CommandEnd {
        @Override
        public Interrupted withNote(String other) {
            return new Interrupted(reason, other);
        }
    }

    /** The backend lost the command: nothing of it runs, and nothing tells how it ended. */
    record Lost(String note) implements CommandEnd {
        @Override
        public Lost withNote(String other) {
            return new Lost(other);
        }
    }
}
