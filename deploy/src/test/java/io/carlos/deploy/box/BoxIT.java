package io.carlos.deploy.box;

import static org.assertj.core.api.Assertions.fail;

import io.carlos.deploy.box.BoxReport.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Boots a Debian 13 box, and reports what its tests found. Where a box cannot be booted the tests are skipped and print why;
 * with {@code CARLOS_REQUIRE_BOX=1} in the environment they fail instead. {@code CARLOS_BOX=qemu} takes the virtual machine.
 */
class BoxIT {
    private static final String REQUIRE_VARIABLE = "CARLOS_REQUIRE_BOX";
    private static final String KIND_VARIABLE = "CARLOS_BOX";
    private static final String SCRIPT = "box/run";
    private static final Path OUT = Path.of("target", "box");
    private static final int BOUND_MINUTES = 120;

    @TestFactory
    Stream<DynamicTest> everyTestInsideOfTheBox() throws IOException, InterruptedException {
        Optional<String> obstacle = BoxObstacle.find();
        if (obstacle.isEmpty()) {
            boolean qemu = "qemu".equals(System.getenv(KIND_VARIABLE));
            obstacle = boot(qemu ? List.of("--qemu", OUT.toString()) : List.of(OUT.toString()));
        }
        if (obstacle.isPresent()) {
            skip(obstacle.get());
        }
        return BoxReport.read(OUT).stream().map(line -> DynamicTest.dynamicTest(line.test(), () -> repeat(line)));
    }

    private static void repeat(Line line) {
        switch (line.verdict()) {
            case PASSED -> {}
            case SKIPPED -> Assumptions.abort(line.detail());
            case FAILED, COMPLETE -> fail("%s%nThe box's journal: %s", line.detail(), OUT.resolve("journal.txt"));
        }
    }

    /** What kept the box from coming to a report. It ends with this JVM, and the script then leaves nothing behind. */
    private static Optional<String> boot(List<String> arguments) throws IOException, InterruptedException {
        Path log = Files.createTempFile("box", ".log");
        List<String> words =
                Stream.concat(Stream.of(SCRIPT), arguments.stream()).toList();
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Thread onShutdown = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(onShutdown);
        try {
            boolean ended = process.waitFor(BOUND_MINUTES, TimeUnit.MINUTES);
            return ended && process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(SCRIPT + (ended ? "" : " took too long") + ": " + Files.readString(log));
        } finally {
            Runtime.getRuntime().removeShutdownHook(onShutdown);
            process.destroy();
            Files.delete(log);
        }
    }

    private static boolean isRequired() {
        return "1".equals(System.getenv(REQUIRE_VARIABLE));
    }

    private static void skip(String reason) {
        if (isRequired()) {
            fail("%s is set, but no box can be booted: %s", REQUIRE_VARIABLE, reason);
        }
        System.out.println("skipped: the tests inside of a box: " + reason);
        Assumptions.abort(reason);
    }
}
