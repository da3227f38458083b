package io.carlos.store;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a preflight found: one line for each {@link PreflightCheck}, in their order. */
public record PreflightReport(List<Line> lines) {
    /** @param detail what was seen; may be empty when there is nothing to say */
    public record Line(PreflightCheck check, PreflightVerdict verdict, String detail) {
        @Override
        public String toString() {
            String line = verdict + ": " + check.title();
            return detail.isEmpty() ? line : line + ": " + detail;
        }
    }

    public PreflightReport {
        lines = List.copyOf(lines);
    }

    /** Whether the store may be used. */
    public boolean isAccepted() {
        return lines.stream().allMatch(line -> line.verdict().isAcceptable());
    }

    /** The line that speaks most against the store: the first that refuses it, else the first that could not tell. */
    public Optional<Line> objection() {
        return first(PreflightVerdict.REFUSED).or(() -> first(PreflightVerdict.UNKNOWN));
    }

    public Line line(PreflightCheck check) {
        return lines.stream().filter(line -> line.check() == check).findFirst().orElseThrow();
    }

    private Optional<Line> first(PreflightVerdict verdict) {
        return lines.stream().filter(line -> line.verdict() == verdict).findFirst();
    }

    /** One line of text for each check. */
    @Override
    public String toString() {
        return lines.stream().map(Line::toString).collect(Collectors.joining("\n"));
    }
}
