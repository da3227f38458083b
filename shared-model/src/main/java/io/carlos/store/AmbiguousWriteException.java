package io.carlos.store;

import org.jspecify.annotations.Nullable;

/** The store may or may not have done what was asked: the answer was lost. Read again and decide. */
public final class AmbiguousWriteException extends StoreException {
    private static final long serialVersionUID = 1L;

    public AmbiguousWriteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
