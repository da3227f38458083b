package io.carlos.agent.container.pool;

import java.time.Duration;

/** Hears what a pool does, for counters. Called on the pool's threads and its callers'; returns at once. */
public interface WarmPoolListener {
    /** Nobody listens. */
    WarmPoolListener NONE = new WarmPoolListener() {};

    /** A machine was ready when somebody asked for one. */
    default void hit() {}

    /** None was, and the caller boots its own. */
    default void miss() {}

    default void booted(Duration took) {}

    default void bootFailed() {}

    /** A machine had waited for too long, had ended while it waited, or takes room that others wait for. */
    default void discarded() {}
}
