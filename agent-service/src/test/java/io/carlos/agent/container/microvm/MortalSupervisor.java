package io.carlos.agent.container.microvm;

import java.io.IOException;
import java.nio.file.Path;

/**
 * An image whose supervisor any command may kill. Process 1 takes no signal that it does not want, and least of all from
 * others' processes; here root kills it as a fault of its own would.
 */
final class MortalSupervisor {
    /** A script for a shell in the guest. */
    static final String KILL = "echo now >/run/kill; sleep 3912";

    /** All is mounted, and the devices that a shell needs for what it runs beside itself are still its own. */
    private static final String PLACE = "\nfor kernel in proc sys dev; do\n";

    private static final String KILLER = """

            busybox mkfifo -m 666 "$root/run/kill"
            exec 7<>"$root/run/kill"
            (read -r now <&7; kill -SEGV 1) &
            exec 7>&-
            """;

    private MortalSupervisor() {}

    static GuestImage image(Path directory) throws IOException {
        return ChangedInit.image(directory, init -> ChangedInit.replaced(init, PLACE, KILLER + PLACE));
    }
}
