package io.carlos.guest.state;

/** The supervisor does not do this in the state it is in. */
public final class WrongStateException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient GuestState state;

    WrongStateException(GuestState state, String message) {
        super(message);
        this.state = state;
    }

    public GuestState state() {
        return state;
    }
}
