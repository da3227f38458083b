package io.carlos.cli.console;

import io.carlos.model.json.CarlosJson;
import java.io.IOException;
import tools.jackson.databind.json.JsonMapper;

/** JSON for programs, in the form of all of Carlos: one value on one line; on a terminal, where a person reads it, indented. */
public final class JsonOutput {
    private JsonOutput() {}

    public static void print(Console console, Object value) throws IOException {
        JsonMapper mapper = CarlosJson.mapper();
        boolean indented = console.isTerminal(StandardStream.OUT);
        console.println(
                (indented ? mapper.writerWithDefaultPrettyPrinter() : mapper.writer()).writeValueAsString(value));
    }
}
