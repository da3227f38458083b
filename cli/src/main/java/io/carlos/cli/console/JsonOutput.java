package io.carlos.cli.console;

import io.carlos.model.json.CarlosJson;
import java.io.IOException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.ObjectWriter;

/**
 * JSON for programs, in the form of all of Carlos: one value on one line. On a terminal, where a person reads it, it is
 * indented, and characters beyond ASCII are escaped, since some of those are what a terminal obeys.
 */
public final class JsonOutput {
    private JsonOutput() {}

    public static void print(Console console, Object value) throws IOException {
        ObjectWriter writer = CarlosJson.mapper().writer();
        console.println(
                console.isTerminal(StandardStream.OUT)
                        ? forTerminal(writer.withDefaultPrettyPrinter(), value)
                        : writer.writeValueAsString(value));
    }

    /** One of many values, each of which is one line on terminals too. */
    public static void printLine(Console console, Object value) throws IOException {
        ObjectWriter writer = CarlosJson.mapper().writer();
        console.println(
                console.isTerminal(StandardStream.OUT) ? forTerminal(writer, value) : writer.writeValueAsString(value));
    }

    /** ASCII has one more character that moves a cursor and that JSON does not escape. */
    private static String forTerminal(ObjectWriter writer, Object value) {
        return writer.with(JsonWriteFeature.ESCAPE_NON_ASCII)
                .writeValueAsString(value)
                .replace("\u007f", "\\u007f");
    }
}
