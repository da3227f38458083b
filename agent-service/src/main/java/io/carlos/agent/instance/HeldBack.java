package io.carlos.agent.instance;

import io.carlos.model.names.Host;
import java.util.List;

/**
 * What is not started, since what ran of it earlier is not known to have stopped.
 *
 * @param all whether that is every host of the box
 * @param hosts in order
 */
public record HeldBack(boolean all, List<Host> hosts) {
    public HeldBack {
        hosts = List.copyOf(hosts);
    }
}
