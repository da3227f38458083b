package io.carlos.model.linux.process;

/** The signals that are sent on purpose; their numbers are the same on x86_64 and aarch64. */
public enum Signal {
    KILL(9),
    TERM(15),
    STOP(19);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
