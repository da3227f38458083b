package io.carlos.agent.container.microvm;

import java.time.Duration;

/** Hears of a runtime's boots, for counters. Called by whoever boots; returns at once. */
public interface MicroVmListener {
    /** Nobody listens. */
    MicroVmListener NONE = new MicroVmListener() {};

    /** A machine came to be ready. */
    default void booted(Duration took) {}

    /** One did not, and nothing of it is left. */
    default void bootFailed(Duration took) {}
}
