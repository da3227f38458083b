package io.carlos.guest.namespace.calls;

/** Signal numbers, which are those of Linux on every architecture that Carlos runs on. */
public final class Signals {
    public static final int PIPE = 13;
    public static final int TERM = 15;
    public static final int CHLD = 17;

    private Signals() {}
}
