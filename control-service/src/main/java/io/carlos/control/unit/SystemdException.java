package io.carlos.control.unit;

/** systemd refused, or did not answer in time; the message has what was asked for, and systemd's own words. */
public final class SystemdException extends Exception {
    private static final long serialVersionUID = 1L;

    public SystemdException(String message) {
        super(message);
    }

    public SystemdException(String message, Throwable cause) {
        super(message, cause);
    }
}
