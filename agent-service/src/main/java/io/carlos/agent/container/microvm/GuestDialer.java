package io.carlos.agent.container.microvm;

import java.nio.file.Path;

/** Makes connections to supervisors. */
@FunctionalInterface
public interface GuestDialer {
    /**
     * Prepares a connection, which is made with the first call.
     *
     * @param socket the machine's own
     */
    Guest dial(Path socket);
}
