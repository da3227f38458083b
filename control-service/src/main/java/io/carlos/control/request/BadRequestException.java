package io.carlos.control.request;

/** The request is not one that this service takes; the message names what is wrong with it. */
public final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadRequestException(String message) {
        super(message);
    }

    public BadRequestException(String message, Throwable cause) {
        super(message, cause);
    }
}
