package io.carlos.agent.container.podman;

/** How a command ended, as podman tells it. */
sealed interface CommandEnd {
    /** What podman adds to a signal's number, as shells do. */
    int STATUS_OF_SIGNALS = 128;

    int LAST_SIGNAL = 64;

    /** @param status 0 to 255 */
    record Exited(int status) implements CommandEnd {}

    /** Also a command that ended by itself with such a status: podman tells no difference. */
    record Signalled(int signal) implements CommandEnd {}

    static CommandEnd of(int status) {
        int signal = status - STATUS_OF_SIGNALS;
        return signal > 0 && signal <= LAST_SIGNAL ? new Signalled(signal) : new Exited(status);
    }

    /** As a shell tells it. */
    default int status() {
        return switch (this) {
            case Exited(int status) -> status;
            case Signalled(int signal) -> STATUS_OF_SIGNALS + signal;
        };
    }
}
