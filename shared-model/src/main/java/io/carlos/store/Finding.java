package io.carlos.store;

/** What one check of a preflight found. */
record Finding(PreflightVerdict verdict, String detail) {
    static final Finding PASSED = new Finding(PreflightVerdict.PASSED, "");

    static Finding refused(String detail) {
        return new Finding(PreflightVerdict.REFUSED, detail);
    }

    static Finding warned(String detail) {
        return new Finding(PreflightVerdict.WARNED, detail);
    }

    static Finding skipped(String detail) {
        return new Finding(PreflightVerdict.SKIPPED, detail);
    }

    static Finding unknown(String detail) {
        return new Finding(PreflightVerdict.UNKNOWN, detail);
    }
}
