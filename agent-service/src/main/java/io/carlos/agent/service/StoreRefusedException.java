package io.carlos.agent.service;

import io.carlos.store.PreflightReport;

/** The store does not keep what boxes depend on; nothing is picked up from it. */
final class StoreRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreRefusedException(String store, PreflightReport.Line objection) {
        super("the store " + store + " is refused: " + objection + "; see all of it with: carlos store check --store "
                + store);
    }
}
