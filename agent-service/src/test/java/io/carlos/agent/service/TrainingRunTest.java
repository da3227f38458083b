package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TrainingRunTest {
    @Test
    void itExecutesARunAndLeavesNothing() throws IOException {
        Set<Path> before = directories();

        assertThatCode(() -> TrainingRun.main(new String[0])).doesNotThrowAnyException();

        assertThat(directories()).isSubsetOf(before);
    }

    private static Set<Path> directories() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("agent-training"))
                    .collect(Collectors.toSet());
        }
    }
}
