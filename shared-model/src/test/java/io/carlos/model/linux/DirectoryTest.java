package io.carlos.model.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryTest {
    @TempDir
    Path path;

    private Directory directory;

    @BeforeEach
    void openDirectory() throws IOException {
        directory = Directory.open(path);
    }

    @AfterEach
    void closeDirectory() throws IOException {
        directory.close();
    }

    @Test
    void createdFileHoldsWhatWasWrittenAndHasTheMode() throws IOException {
        try (LinuxFile file = directory.createFile("a", 0600)) {
            file.write("content".getBytes(UTF_8));
            file.sync();
        }

        assertThat(path.resolve("a")).hasContent("content");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.resolve("a"))))
                .isEqualTo("rw-------");
    }

    @Test
    void createFileRefusesWhereAFileStands() throws IOException {
        Files.writeString(path.resolve("a"), "first");

        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> directory.createFile("a", 0600))
                .matches(e -> e.is(Errno.EEXIST))
                .withMessage("openat2: %s/a: EEXIST: exists already", path);
        assertThat(path.resolve("a")).hasContent("first");
    }

    @Test
    void openFileReadsAnExistingFile() throws IOException {
        Files.createDirectories(path.resolve("b/c"));
        Files.writeString(path.resolve("b/c/d"), "content");

        try (LinuxFile file = directory.openFile("b/c/d")) {
            assertThat(file.readAll(100)).asString(UTF_8).isEqualTo("content");
        }
    }

    @Test
    void openOrCreateFileKeepsTheContentThatIsThere() throws IOException {
        Files.writeString(path.resolve("lock"), "content");

        try (LinuxFile file = directory.openOrCreateFile("lock", 0600)) {
            assertThat(file.readAll(100)).asString(UTF_8).isEqualTo("content");
        }
    }

    @Test
    void openOrCreateFileCreatesAnAbsentFile() throws IOException {
        directory.openOrCreateFile("lock", 0600).close();

        assertThat(path.resolve("lock")).isEmptyFile();
    }

    @Test
    void createDirectoriesCreatesTheAbsentOnes() throws IOException {
        Files.createDirectory(path.resolve("a"));

        try (Directory deepest = directory.createDirectories("a/b/c", 0700)) {
            deepest.createFile("d", 0600).close();
        }

        assertThat(path.resolve("a/b/c/d")).isEmptyFile();
    }

    @Test
    void createDirectoriesRefusesAFileInTheWay() throws IOException {
        Files.writeString(path.resolve("a"), "");

        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> directory.createDirectories("a/b", 0700))
                .matches(e -> e.is(Errno.ENOTDIR));
    }

    @Test
    void renameReplacesAFileInAnotherDirectory() throws IOException {
        Files.createDirectory(path.resolve("sub"));
        Files.writeString(path.resolve("a"), "new");
        Files.writeString(path.resolve("sub/b"), "old");

        try (Directory sub = directory.openDirectory("sub")) {
            directory.rename("a", sub, "b");
        }

        assertThat(path.resolve("sub/b")).hasContent("new");
        assertThat(path.resolve("a")).doesNotExist();
    }

    @Test
    void renameToNewRefusesToReplace() throws IOException {
        Files.writeString(path.resolve("a"), "new");
        Files.writeString(path.resolve("b"), "old");

        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> directory.renameToNew("a", directory, "b"))
                .matches(e -> e.is(Errno.EEXIST));
        assertThat(path.resolve("b")).hasContent("old");
    }

    @Test
    void linkGivesAFileASecondName() throws IOException {
        Files.writeString(path.resolve("a"), "content");

        directory.link("a", directory, "b");

        assertThat(directory.status("b").orElseThrow().inode())
                .isEqualTo(directory.status("a").orElseThrow().inode());
    }

    @Test
    void unlinkRemovesALinkAndNotWhatItPointsTo() throws IOException {
        Files.writeString(path.resolve("a"), "content");
        Files.createSymbolicLink(path.resolve("b"), path.resolve("a"));

        directory.unlink("b");

        assertThat(directory.list()).containsExactly("a");
    }

    @Test
    void removeDirectoryRefusesOneThatIsNotEmpty() throws IOException {
        Files.createDirectories(path.resolve("a/b"));

        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> directory.removeDirectory("a"))
                .matches(e -> e.is(Errno.ENOTEMPTY));
    }

    @Test
    void listGivesAllNamesOfALargeDirectoryEveryTime() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            Files.createFile(path.resolve("file-with-a-rather-long-name-" + i));
        }

        assertThat(directory.list()).doesNotHaveDuplicates().hasSize(1_000);
        assertThat(directory.list()).hasSize(1_000);
    }

    @Test
    void setModeChangesThisDirectory() throws IOException {
        directory.setMode(0711);

        assertThat(directory.status().mode()).isEqualTo(0711);
    }

    @Test
    void syncOfADirectorySucceeds() throws IOException {
        directory.sync();
    }

    @Test
    void statusTellsWhatJavaTells() throws IOException {
        Files.writeString(path.resolve("a"), "content");

        FileStatus status = directory.status("a").orElseThrow();

        assertThat(status.type()).isEqualTo(FileType.REGULAR);
        assertThat(status.size()).isEqualTo(7);
        assertThat(status.inode()).isEqualTo(Files.getAttribute(path.resolve("a"), "unix:ino"));
        assertThat(status.modified())
                .isEqualTo(Files.getLastModifiedTime(path.resolve("a")).toInstant());
        assertThat(status.mountId()).isEqualTo(directory.status().mountId());
    }

    @Test
    void statusOfAnAbsentNameIsEmpty() throws IOException {
        assertThat(directory.status("absent")).isEmpty();
        assertThat(directory.status("absent/either")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/etc/passwd", "..", "a/../b", "a/", "a//b", ".", "a/.", "a\0b"})
    void pathThatIsNotPlainNamesIsRefused(String odd) {
        assertThatExceptionOfType(InvalidPathException.class).isThrownBy(() -> directory.openFile(odd));
        assertThatExceptionOfType(InvalidPathException.class).isThrownBy(() -> directory.unlink(odd));
    }

    @Test
    void closedDirectoryRefusesToBeUsed() throws IOException {
        directory.close();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> directory.list())
                .withMessage("used after it was closed: %s", path);
    }
}
