package io.carlos.model.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramLookupTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void makeFiles() throws IOException {
        make("one/both", "rwxr-xr-x");
        make("two/both", "rwxr-xr-x");
        make("one/plain-then-program", "rw-r--r--");
        make("two/plain-then-program", "rwxr-xr-x");
        make("one/plain", "rw-r--r--");
        make("here", "rwxr-xr-x");
        Files.createDirectory(directory.resolve("one/directory"));
        Files.createSymbolicLink(directory.resolve("one/dangling"), Path.of("missing"));
    }

    private void make(String name, String permissions) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.setPosixFilePermissions(Files.createFile(file), PosixFilePermissions.fromString(permissions));
    }

    private ProgramLookup lookUp(String name) {
        return ProgramLookup.lookUp(name, directory + "/one:two", directory);
    }

    @Test
    void firstDirectoryOfThePathWins() {
        assertThat(lookUp("both")).isEqualTo(new ProgramLookup.Found(directory + "/one/both"));
    }

    @Test
    void fileWithoutPermissionIsPassedOverForALaterProgram() {
        assertThat(lookUp("plain-then-program")).isEqualTo(new ProgramLookup.Found("two/plain-then-program"));
    }

    @Test
    void fileWithoutPermissionAloneIsNotExecutable() {
        assertThat(lookUp("plain")).isEqualTo(new ProgramLookup.NotExecutable());
    }

    @Test
    void directoryIsNotExecutable() {
        assertThat(lookUp("directory")).isEqualTo(new ProgramLookup.NotExecutable());
    }

    @Test
    void danglingLinkIsNotFound() {
        assertThat(lookUp("dangling")).isEqualTo(new ProgramLookup.NotFound());
    }

    @Test
    void programInTheWorkingDirectoryIsNotFoundByItsName() {
        assertThat(lookUp("here")).isEqualTo(new ProgramLookup.NotFound());
    }

    @Test
    void emptyDirectoryOfThePathIsTheWorkingDirectory() {
        assertThat(ProgramLookup.lookUp("here", "/nowhere:", directory)).isEqualTo(new ProgramLookup.Found("./here"));
    }

    @Test
    void nameWithASlashIsTakenAsItIs() {
        assertThat(lookUp("./here")).isEqualTo(new ProgramLookup.Found("./here"));
        assertThat(lookUp(directory + "/here")).isEqualTo(new ProgramLookup.Found(directory + "/here"));
        assertThat(lookUp("./both")).isEqualTo(new ProgramLookup.NotFound());
    }

    @Test
    void emptyNameIsNotFound() {
        assertThat(lookUp("")).isEqualTo(new ProgramLookup.NotFound());
    }
}
