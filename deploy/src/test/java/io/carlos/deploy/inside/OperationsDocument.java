package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What the operators' document has whoever follows it type, section by section. */
record OperationsDocument(List<String> lines) {
    private static final Path FILE = Path.of("/usr/share/carlos-suite/operations.md");
    private static final String HEADING = "## ";
    private static final String TYPED = "    ";

    static OperationsDocument read() throws IOException {
        return new OperationsDocument(Files.readAllLines(FILE));
    }

    /** All that is to be typed in a section, as a script. */
    String commandsOf(String section) {
        String heading = HEADING + section;
        assertThat(lines).contains(heading);
        String commands = lines.subList(lines.indexOf(heading) + 1, lines.size()).stream()
                .takeWhile(line -> !line.startsWith(HEADING))
                .filter(line -> line.startsWith(TYPED))
                .map(line -> line.substring(TYPED.length()) + "\n")
                .collect(Collectors.joining());
        assertThat(commands).as(section).isNotEmpty();
        return commands;
    }

    /** What it has its reader define for all sections. */
    String definitions() {
        return lines.stream()
                .filter(line -> line.startsWith(TYPED + "carlos() {"))
                .map(line -> line.strip() + "\n")
                .collect(Collectors.joining());
    }
}
