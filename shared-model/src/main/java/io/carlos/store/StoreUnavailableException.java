package io.carlos.store;

import org.jspecify.annotations.Nullable;

/** The store was not reached or refused the call for a reason of its own. A write that ends so has written nothing. */
public sealed class StoreUnavailableException extends StoreException permits ReadRefusedException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
