package io.carlos.store;

import org.jspecify.annotations.Nullable;

/** A precondition did not hold: somebody else wrote first. Nothing was written. */
public final class CasConflictException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** @param expected what the precondition asked for, in words that follow "expected" */
    public CasConflictException(ObjectKey key, String expected) {
        this(key, expected, null);
    }

    public CasConflictException(ObjectKey key, String expected, @Nullable Throwable cause) {
        super("put " + key + ": conflict: expected " + expected, cause);
    }
}
