package io.carlos.model.control;

/** Where a one-off command is. */
public enum CmdState {
    /** Some process of its unit lives, whatever systemd shows. */
    RUNNING("running"),
    /** It ended, none of its processes lives, and its unit is still there to tell how. */
    DONE("done"),
    /** Its unit is not loaded, or runs another invocation. */
    GONE("gone");

    private final String wireName;

    CmdState(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** The wire name. */
    @Override
    public String toString() {
        return wireName;
    }
}
