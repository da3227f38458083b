package io.carlos.cli.console;

import java.io.IOException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON for programs: one value on one line; on a terminal, where a person reads it, indented. */
public final class JsonOutput {
    private static final ObjectMapper MAPPER = JsonMapper.shared();

    private JsonOutput() {}

    public static void print(Console console, Object value) throws IOException {
        boolean indented = console.isTerminal(StandardStream.OUT);
        var writer = indented ? MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT) : MAPPER.writer();
        console.println(writer.writeValueAsString(value));
    }
}
