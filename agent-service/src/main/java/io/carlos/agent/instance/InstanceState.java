package io.carlos.agent.instance;

import java.util.Locale;

/** Where an instance is, as its box knows it. */
public enum InstanceState {
    /** Nothing of it was asked to run, or it was stopped. */
    STOPPED,
    /** Its first content is being made. */
    SEEDING,
    /** Its program was started and does not accept connections yet. */
    STARTING,
    /** Its program accepted a connection, and has not ended since as far as the box knows. */
    RUNNING,
    /** It is being stopped. */
    STOPPING,
    /** Its program ended by itself; nothing of it runs until the next wake. */
    CRASHED,
    /** Its last start failed; nothing of it runs until the next wake. */
    FAILED;

    /** The text in a row. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
