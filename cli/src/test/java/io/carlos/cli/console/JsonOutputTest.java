package io.carlos.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonOutputTest {
    private record Row(String host, List<Integer> exitCodes) {}

    @Test
    void valueIsOneLineForPrograms() throws IOException {
        RecordingConsole console = new RecordingConsole();

        JsonOutput.print(console, new Row("a\nb", List.of(1, 2)));

        assertThat(console.outText()).isEqualTo("{\"host\":\"a\\nb\",\"exit_codes\":[1,2]}\n");
    }

    @Test
    void valueIsIndentedForPeople() throws IOException {
        RecordingConsole console = new RecordingConsole(true);

        JsonOutput.print(console, new Row("a", List.of()));

        assertThat(console.outText()).contains("\n  \"host\" : \"a\"");
    }
}
