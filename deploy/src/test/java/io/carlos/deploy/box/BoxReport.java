package io.carlos.deploy.box;

import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.JsonReader;
import io.carlos.model.json.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The report of the tests inside of a box: a JSON object a line, the last one of which says that there are no more. It is on
 * the disk line by line, since a box can end at any moment.
 */
public final class BoxReport {
    public static final String FILE_NAME = "report.jsonl";

    private static final int MAX_LINE_BYTES = 1024 * 1024;

    private BoxReport() {}

    /** How a test ended. */
    public enum Verdict {
        PASSED,
        FAILED,
        SKIPPED,
        /** Not a test's: there are no more. */
        COMPLETE
    }

    /** @param detail why it failed or was skipped */
    public record Line(String test, Verdict verdict, int millis, String detail) {
        String toJson() {
            return new JsonWriter()
                    .member("test", test)
                    .member("verdict", verdict.name())
                    .member("millis", millis)
                    .member("detail", detail)
                    .toString();
        }

        static Line read(String json) {
            JsonReader in = new JsonReader("report", json.getBytes(StandardCharsets.UTF_8), MAX_LINE_BYTES);
            String test = "";
            Verdict verdict = Verdict.FAILED;
            int millis = 0;
            String detail = "";
            in.beginObject();
            for (String name = in.nextName(); name != null; name = in.nextName()) {
                switch (name) {
                    case "test" -> test = in.text();
                    case "verdict" -> verdict = Verdict.valueOf(in.text());
                    case "millis" -> millis = in.integer();
                    case "detail" -> detail = in.text();
                    default -> in.skip();
                }
            }
            in.endDocument();
            return new Line(test, verdict, millis, detail);
        }
    }

    public static void append(Path directory, Line line) throws IOException {
        Files.writeString(
                directory.resolve(FILE_NAME),
                line.toJson() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND,
                StandardOpenOption.SYNC);
    }

    /**
     * The lines of a report that is whole.
     *
     * @throws InvalidDocumentException when it ends early, or tells of no test
     */
    public static List<Line> read(Path directory) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String json : Files.readAllLines(directory.resolve(FILE_NAME))) {
            lines.add(Line.read(json));
        }
        if (lines.isEmpty() || lines.removeLast().verdict() != Verdict.COMPLETE) {
            throw new InvalidDocumentException("report", "it ends early; the last tests of it are " + last(lines));
        }
        if (lines.isEmpty()) {
            throw new InvalidDocumentException("report", "it tells of no test");
        }
        return lines;
    }

    private static List<String> last(List<Line> lines) {
        return lines.subList(Math.max(0, lines.size() - 3), lines.size()).stream()
                .map(Line::test)
                .toList();
    }
}
