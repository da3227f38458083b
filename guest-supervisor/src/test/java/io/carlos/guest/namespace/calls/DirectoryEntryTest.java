package io.carlos.guest.namespace.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryEntryTest {
    private final JnaSyscalls calls = new JnaSyscalls();

    @TempDir
    Path directory;

    @Test
    void aDirectoryOfManyNamesIsListedWhole() throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            names.add("name-" + "x".repeat(i % 50) + i);
            Files.createFile(directory.resolve(names.get(i)));
        }

        assertThat(DirectoryEntry.list(calls, directory.toString()))
                .extracting(DirectoryEntry::name)
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void kindsAreTold() throws IOException {
        Files.createDirectory(directory.resolve("d"));
        Files.createFile(directory.resolve("f"));

        assertThat(DirectoryEntry.list(calls, directory.toString()))
                .containsExactlyInAnyOrder(new DirectoryEntry("d", true, false), new DirectoryEntry("f", false, false));
        assertThat(DirectoryEntry.list(calls, "/dev")).contains(new DirectoryEntry("null", false, true));
    }

    @Test
    void whatIsNoDirectoryIsAnErrorThatNamesIt() throws IOException {
        Path file = Files.createFile(directory.resolve("f"));

        assertThatThrownBy(() -> DirectoryEntry.list(calls, file.toString()))
                .isInstanceOf(CallFailedException.class)
                .hasMessage("open " + file + ": Not a directory (errno 20)");
    }
}
