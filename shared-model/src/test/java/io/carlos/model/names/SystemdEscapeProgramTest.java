package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.carlos.model.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds escaping against systemd's own program, where it is installed. */
class SystemdEscapeProgramTest {
    private static final String REQUIRED_VARIABLE = "CARLOS_REQUIRE_SYSTEMD_ESCAPE";

    /** Through xargs, since a JVM passes on only the characters of its locale, and these are any bytes. */
    private static final List<String> COMMAND = List.of("xargs", "--null", "systemd-escape", "--");

    @TempDir
    private Path directory;

    @BeforeEach
    void theProgramIsThere() {
        boolean installed = isInstalled("systemd-escape") && isInstalled("xargs");
        if (installed) {
            return;
        }
        String reason = "systemd-escape or xargs is not installed";
        if ("1".equals(System.getenv(REQUIRED_VARIABLE))) {
            fail(reason + ", and " + REQUIRED_VARIABLE + "=1 demands them");
        }
        // The build's output tells how many tests were skipped, but not why.
        System.out.println("skipped: " + getClass().getSimpleName() + ": " + reason);
        abort(reason);
    }

    @Test
    void anyTextIsEscapedAsByTheProgram() {
        compare(Names::text);
    }

    @Test
    void anyIdentifierIsEscapedAsByTheProgram() {
        compare(random -> InstanceId.of(Names.host(random)).value());
    }

    private void compare(Function<Random, String> generator) {
        Seeded.check(8, random -> {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                texts.add(generator.apply(random));
            }
            assertThat(texts.stream().map(SystemdEscape::escape))
                    .containsExactlyElementsOf(escapeWithTheProgram(texts));
        });
    }

    private List<String> escapeWithTheProgram(List<String> texts) throws IOException, InterruptedException {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        for (String text : texts) {
            input.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            input.write(0);
        }
        Path inputFile = Files.write(directory.resolve("texts"), input.toByteArray());
        Process program = new ProcessBuilder(COMMAND)
                .redirectInput(inputFile.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(program.waitFor()).as("exit status of %s", COMMAND).isZero();
        // One line for each time that xargs calls it; an escaped text holds no blank.
        List<String> escaped = new ArrayList<>();
        output.lines().forEach(line -> escaped.addAll(List.of(line.split(" ", -1))));
        return escaped;
    }

    private static boolean isInstalled(String program) {
        for (String directory : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }
}
