package io.carlos.agent.guest;

import java.time.Duration;

/**
 * How a guest that hangs is told from one whose command takes its time: while calls are under way, it is asked for a sign
 * of life.
 *
 * @param interval how long nothing may come before it is asked; gRPC takes no less than ten seconds
 * @param bound how long it has to answer, before its calls fail
 */
record KeepAlive(Duration interval, Duration bound) {
    /** A guest whose processors are emulated may be slow, and one that is being debugged slower. */
    static final KeepAlive PATIENT = new KeepAlive(Duration.ofSeconds(20), Duration.ofSeconds(20));
}
