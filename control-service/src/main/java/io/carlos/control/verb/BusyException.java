package io.carlos.control.verb;

/** What was asked for is being done already, or its unit is still there from the last time. Nothing was done. */
public sealed class BusyException extends Exception permits StillLoadedException {
    private static final long serialVersionUID = 1L;

    public BusyException(String message) {
        super(message);
    }
}
