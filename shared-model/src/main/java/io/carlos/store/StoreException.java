package io.carlos.store;

import org.jspecify.annotations.Nullable;

/** A call to the store that did not succeed; the message names the call and the key. */
public abstract sealed class StoreException extends RuntimeException
        permits CasConflictException, AmbiguousWriteException, StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
