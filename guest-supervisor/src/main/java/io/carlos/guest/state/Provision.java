package io.carlos.guest.state;

import java.util.Map;

/**
 * What a guest is told before it may run commands.
 *
 * @param defaultUid whom commands run as that name nobody; never 0
 * @param baseEnvironment what every command has in its environment
 */
public record Provision(int defaultUid, Map<String, String> baseEnvironment) {
    public Provision {
        baseEnvironment = Map.copyOf(baseEnvironment);
        if (defaultUid == 0) {
            throw new IllegalArgumentException("the default uid is 0; commands never run as root");
        }
    }
}
