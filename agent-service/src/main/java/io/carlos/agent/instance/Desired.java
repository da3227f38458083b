package io.carlos.agent.instance;

import java.util.Locale;

/** What is wanted of an instance. */
public enum Desired {
    /** It should run. */
    RUN,
    /** An operator stopped it, and an operator starts it again. */
    STOPPED,
    /** Its record is gone from this box: it must not run, and its data is kept. */
    GONE;

    /** The text in a row. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
