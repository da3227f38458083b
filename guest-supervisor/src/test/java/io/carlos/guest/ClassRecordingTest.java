package io.carlos.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ClassRecordingTest {
    private static final long BOUND_SECONDS = 60;

    @TempDir
    private Path directory;

    @Test
    void twoRecordingsNameTheSameClassesWithThoseOfACallAmongThem() throws Exception {
        Set<String> first = record("first");
        assertThat(first)
                .contains("io/carlos/guest/rpc/GuestControlService", "io/carlos/model/guest/v1/HealthResponse");
        Set<String> second = record("second");
        assertThat(difference(first, second)).isEmpty();
        assertThat(difference(second, first)).isEmpty();
    }

    private static Set<String> difference(Set<String> whole, Set<String> part) {
        Set<String> difference = new TreeSet<>(whole);
        difference.removeAll(part);
        return difference;
    }

    /** What the image's build keeps of a recording. */
    private Set<String> record(String name) throws IOException, InterruptedException {
        Path list = directory.resolve(name);
        Path log = directory.resolve(name + ".log");
        Process recording = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "@src/main/app/jvm.options",
                        // What it reads is made for the program only.
                        "-Dspring.aot.enabled=false",
                        "-XX:DumpLoadedClassList=" + list,
                        "-Dio.netty.leakDetection.level=disabled",
                        ClassRecording.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(recording.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(recording.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            recording.destroyForcibly();
        }
        try (Stream<String> lines = Files.lines(list)) {
            return lines.filter(
                            line -> !line.startsWith("#") && !line.startsWith("@cp ") && !line.contains(" source: "))
                    .map(line -> line.replaceFirst(" id: .*", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
