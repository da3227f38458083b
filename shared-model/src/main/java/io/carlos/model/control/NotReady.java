package io.carlos.model.control;

import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import java.util.List;

/** The {@link Problem} of a box that is not ready, which carries the last probe report's members as its own. */
public record NotReady(String type, String title, int status, String detail, boolean ready, List<ProbeLine> lines) {
    private static final int SERVICE_UNAVAILABLE = 503;

    public NotReady {
        lines = List.copyOf(lines);
    }

    /** @throws IllegalArgumentException when the report says that the box is ready */
    public static NotReady of(ProbeReport report) {
        if (report.ready()) {
            throw new IllegalArgumentException("probe report: it is ready, so there is no problem to tell of");
        }
        return new NotReady(
                Problem.NO_TYPE,
                "Service Unavailable",
                SERVICE_UNAVAILABLE,
                "this box is not ready to isolate instances",
                false,
                report.lines());
    }

    public ProbeReport report() {
        return new ProbeReport(lines);
    }
}
