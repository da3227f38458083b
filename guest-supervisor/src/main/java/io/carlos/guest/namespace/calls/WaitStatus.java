package io.carlos.guest.namespace.calls;

/** What {@code wait(2)} tells about the end of a child. */
public record WaitStatus(int raw) {
    private static final int SIGNAL_BASE = 128;

    public boolean signalled() {
        return (raw & 0x7f) != 0;
    }

    /** The signal that ended the child, or else the status that it exited with. */
    public int code() {
        return signalled() ? raw & 0x7f : raw >> 8 & 0xff;
    }

    /** The status that a process exits with to tell the same, as shells do. */
    public int exitStatus() {
        return signalled() ? SIGNAL_BASE + code() : code();
    }
}
