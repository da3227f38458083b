package io.carlos.control.verb;

import io.carlos.model.names.UnitName;

/** A start did not come to its turn before its deadline. It did nothing. */
public final class ExpiredException extends Exception {
    private static final long serialVersionUID = 1L;

    ExpiredException(UnitName unit) {
        super("start: " + unit + ": its deadline had passed before it could begin; it was not started");
    }
}
