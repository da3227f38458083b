package io.carlos.control.server;

import java.time.Duration;

/**
 * What one peer can take of the service.
 *
 * @param connections open at a time; further ones wait to be accepted
 * @param headBytes of a request line and its headers
 * @param headTime for a request line and its headers to arrive, from their first byte on
 * @param idle after which a connection without a request is closed
 */
public record ServerLimits(int connections, int headBytes, Duration headTime, Duration idle) {
    public static final ServerLimits DEFAULT =
            new ServerLimits(64, 8 * 1024, Duration.ofSeconds(5), Duration.ofSeconds(60));
}
