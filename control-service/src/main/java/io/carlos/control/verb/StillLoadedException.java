package io.carlos.control.verb;

/** The unit is still there from its last start, so nothing was done. It has to be stopped, and reset, before it can be started. */
public final class StillLoadedException extends BusyException {
    private static final long serialVersionUID = 1L;

    public StillLoadedException(String message) {
        super(message);
    }
}
