package io.carlos.control.server;

import java.util.Map;
import java.util.OptionalInt;

/** Whether systemd handed over a listening socket, see sd_listen_fds(3). */
public final class Activation {
    /** The first descriptor that systemd hands over. */
    static final int FIRST_DESCRIPTOR = 3;

    private Activation() {}

    /**
     * The descriptor of the one listener; empty when this process was not activated by a socket.
     *
     * @throws IllegalStateException when it was, with any other number of sockets
     */
    public static OptionalInt listener(Map<String, String> environment, long ownPid) {
        if (!Long.toString(ownPid).equals(environment.get("LISTEN_PID"))) {
            return OptionalInt.empty();
        }
        String count = environment.getOrDefault("LISTEN_FDS", "none");
        if (!count.equals("1")) {
            throw new IllegalStateException("socket activation: expected 1 socket, got " + count
                    + "; the socket unit has one ListenStream= and names this service alone");
        }
        return OptionalInt.of(FIRST_DESCRIPTOR);
    }
}
