package io.carlos.store;

/** How a {@link PreflightCheck} ended. */
public enum PreflightVerdict {
    PASSED,
    /** The store may be used, but somebody should look at this. */
    WARNED,
    /** This store has no such thing; that is no fault. */
    SKIPPED,
    /** The store did not answer well enough to tell; another preflight may. */
    UNKNOWN,
    /** The store does not do what it must. */
    REFUSED;

    /** Whether a store that ends so may be used. */
    public boolean isAcceptable() {
        return switch (this) {
            case PASSED, WARNED, SKIPPED -> true;
            case UNKNOWN, REFUSED -> false;
        };
    }
}
