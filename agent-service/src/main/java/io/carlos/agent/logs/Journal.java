package io.carlos.agent.logs;

import io.carlos.model.names.Host;
import io.carlos.model.names.Role;

/** Where the lines of instances are kept beyond the agent's memory. Any thread may write; nothing is thrown. */
@FunctionalInterface
public interface Journal {
    /** Takes a line, or drops it and says so once. May wait for a moment while the journal has no room. */
    void write(Host host, Role role, String text) throws InterruptedException;
}
