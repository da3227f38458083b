package io.carlos.agent.simulation;

import java.time.Duration;

/** What goes wrong before the calm. */
enum Trouble {
    /** Everything a little: crashes, short outages, lost answers. */
    ALL(Duration.ofMinutes(4)),
    /** The boxes live, and the store is away until others may take their runs for abandoned; for one of them even longer. */
    LONG_OUTAGE(Duration.ofMinutes(16));

    private final Duration length;

    Trouble(Duration length) {
        this.length = length;
    }

    Duration length() {
        return length;
    }
}
