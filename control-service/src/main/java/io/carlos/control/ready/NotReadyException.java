package io.carlos.control.ready;

import io.carlos.model.files.ProbeReport;

/** The last probe did not find that this box isolates instances. */
public final class NotReadyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ProbeReport report;

    public NotReadyException(ProbeReport report) {
        super("not ready");
        this.report = report;
    }

    public ProbeReport report() {
        return report;
    }
}
