package io.carlos.model.files;

import io.carlos.model.files.ProbeLine.Verdict;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.JsonReader;
import io.carlos.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What the readiness probe found, one line a check. Ready is never a default: it takes at least one line, and none that
 * is {@link Verdict#FAIL}.
 */
public record ProbeReport(List<ProbeLine> lines) {
    public static final int MAX_BYTES = 256 * 1024;

    private static final String DOCUMENT = "probe report";

    public ProbeReport {
        lines = List.copyOf(lines);
    }

    /** The report of a box that is not ready for a reason outside of the checks, as one line. */
    public static ProbeReport notReady(String why) {
        return new ProbeReport(List.of(new ProbeLine("report", Verdict.FAIL, why)));
    }

    /** Reads what a probe wrote. What is no report becomes {@link #notReady} with the reason: nothing is thrown. */
    public static ProbeReport read(byte[] bytes) {
        try {
            return readStrictly(new JsonReader(DOCUMENT, bytes, MAX_BYTES));
        } catch (InvalidDocumentException e) {
            return notReady(String.valueOf(e.getMessage()));
        }
    }

    public boolean ready() {
        for (ProbeLine line : lines) {
            if (line.verdict() == Verdict.FAIL) {
                return false;
            }
        }
        return !lines.isEmpty();
    }

    public String toJson() {
        List<JsonWriter> written = new ArrayList<>();
        for (ProbeLine line : lines) {
            written.add(new JsonWriter()
                    .member("check", line.check())
                    .member("verdict", line.verdict().wireName())
                    .member("detail", line.detail()));
        }
        return new JsonWriter()
                .member("ready", ready())
                .objects("lines", written)
                .toString();
    }

    private static ProbeReport readStrictly(JsonReader in) {
        Boolean ready = null;
        List<ProbeLine> lines = null;
        in.beginObject();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            switch (name) {
                case "ready" -> ready = in.bool();
                case "lines" -> lines = readLines(in);
                default -> in.skip();
            }
        }
        in.endDocument();
        ProbeReport report = new ProbeReport(Members.present(in, "lines", lines));
        if (report.lines.isEmpty()) {
            throw in.refusal("it has no lines");
        }
        boolean claimed = Members.present(in, "ready", ready);
        if (claimed != report.ready()) {
            throw in.refusal("ready is " + claimed + ", but its lines say otherwise");
        }
        return report;
    }

    private static List<ProbeLine> readLines(JsonReader in) {
        List<ProbeLine> lines = new ArrayList<>();
        in.beginArray();
        while (in.nextElement()) {
            lines.add(readLine(in));
        }
        return lines;
    }

    private static ProbeLine readLine(JsonReader in) {
        String check = null;
        Verdict verdict = null;
        String detail = null;
        in.beginObject();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            switch (name) {
                case "check" -> check = in.text();
                case "verdict" -> verdict = readVerdict(in);
                case "detail" -> detail = in.text();
                default -> in.skip();
            }
        }
        return new ProbeLine(
                Members.present(in, "check", check),
                Members.present(in, "verdict", verdict),
                Members.present(in, "detail", detail));
    }

    private static Verdict readVerdict(JsonReader in) {
        String text = in.text();
        for (Verdict verdict : Verdict.values()) {
            if (verdict.wireName().equals(text)) {
                return verdict;
            }
        }
        throw in.refusal("a verdict is \"" + text + "\", expected ok, unverified or fail");
    }
}
