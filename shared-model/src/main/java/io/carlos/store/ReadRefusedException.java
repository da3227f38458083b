package io.carlos.store;

import org.jspecify.annotations.Nullable;

/**
 * The store was reached, and does not let this caller read this object. It may let it read others: that is a matter of who has put the
 * object there and of the store's policies, and is told by no other call.
 */
public final class ReadRefusedException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    public ReadRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
