package io.carlos.guest.namespace.probe;

import io.carlos.model.files.ProbeLine.Verdict;

/** What a check found. */
record Finding(Verdict verdict, String detail) {
    static Finding ok(String detail) {
        return new Finding(Verdict.OK, detail);
    }

    static Finding unverified(String detail) {
        return new Finding(Verdict.UNVERIFIED, detail);
    }

    static Finding fail(String detail) {
        return new Finding(Verdict.FAIL, detail);
    }
}
