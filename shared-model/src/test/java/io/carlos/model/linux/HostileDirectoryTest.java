package io.carlos.model.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tenant can put in the way: links, fifos, magic links, and names that change while they are used. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileDirectoryTest {
    private static final int ROUNDS = 2_000;

    @TempDir
    Path temporary;

    private Path path;
    private Path outside;
    private Directory directory;

    @BeforeEach
    void openDirectory() throws IOException {
        path = Files.createDirectory(temporary.resolve("inside"));
        outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectories(outside.resolve("sub/sub"));
        directory = Directory.open(path);
    }

    @AfterEach
    void nothingOutsideWasTouched() throws IOException {
        directory.close();
        try (Directory untouched = Directory.open(outside)) {
            assertThat(untouched.list()).containsExactlyInAnyOrder("secret", "sub");
        }
        assertThat(outside.resolve("secret")).hasContent("secret");
        assertThat(outside.resolve("sub/sub")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"link/secret", "a/link/secret", "a/b/link/secret", "a/b/link"})
    void linkAtAnyLevelIsNotReadThrough(String read) throws IOException {
        Files.createDirectories(path.resolve("a/b"));
        Files.createSymbolicLink(path.resolve("link"), outside);
        Files.createSymbolicLink(path.resolve("a/link"), outside);
        Files.createSymbolicLink(path.resolve("a/b/link"), outside);

        refused(Errno.ELOOP, () -> directory.openFile(read));
        refused(Errno.ELOOP, () -> directory.openDirectory(read));
    }

    @Test
    void linkThatStaysInsideIsNotFollowedEither() throws IOException {
        Files.createDirectory(path.resolve("a"));
        Files.createSymbolicLink(path.resolve("link"), Path.of("a"));

        refused(Errno.ELOOP, () -> directory.openDirectory("link"));
    }

    @Test
    void nothingIsWrittenThroughALinkedDirectory() throws IOException {
        Files.createSymbolicLink(path.resolve("link"), outside);
        Files.writeString(path.resolve("a"), "a");

        refused(Errno.ELOOP, () -> directory.createFile("link/new", 0600));
        refused(Errno.ELOOP, () -> directory.openOrCreateFile("link/secret", 0600));
        refused(Errno.ELOOP, () -> directory.createDirectory("link/new", 0700));
        refused(Errno.ELOOP, () -> directory.createDirectories("link/new", 0700));
        refused(Errno.ELOOP, () -> directory.rename("a", directory, "link/a"));
        refused(Errno.ELOOP, () -> directory.rename("link/secret", directory, "b"));
        refused(Errno.ELOOP, () -> directory.link("link/secret", directory, "b"));
        refused(Errno.ELOOP, () -> directory.unlink("link/secret"));
        refused(Errno.ELOOP, () -> directory.removeDirectory("link/sub/sub"));
        refused(Errno.ELOOP, () -> directory.removeTree("link/sub"));
        refused(Errno.ELOOP, () -> directory.status("link/secret"));
    }

    @Test
    void danglingLinkIsNotCreatedThrough() throws IOException {
        Files.createSymbolicLink(path.resolve("link"), outside.resolve("new"));

        refused(Errno.EEXIST, () -> directory.createFile("link", 0600));
        refused(Errno.ELOOP, () -> directory.openOrCreateFile("link", 0600));
        refused(Errno.EEXIST, () -> directory.createDirectory("link", 0700));
    }

    @Test
    void statusIsOfTheLinkItself() throws IOException {
        Files.createSymbolicLink(path.resolve("link"), outside.resolve("secret"));

        assertThat(directory.status("link").orElseThrow().type()).isEqualTo(FileType.LINK);
    }

    @Test
    void fifoInPlaceOfAFileIsRefusedAtOnce() throws IOException {
        LinuxTestCalls.LIBC.mkfifo(path.resolve("fifo").toString(), 0600);

        assertThatExceptionOfType(WrongFileTypeException.class)
                .isThrownBy(() -> directory.openFile("fifo"))
                .withMessage("%s/fifo: expected a regular file, found FIFO", path);
        assertThatExceptionOfType(WrongFileTypeException.class)
                .isThrownBy(() -> directory.openOrCreateFile("fifo", 0600));
        refused(Errno.EEXIST, () -> directory.createFile("fifo", 0600));
        refused(Errno.ENOTDIR, () -> directory.openDirectory("fifo"));
    }

    @Test
    void directoryInPlaceOfAFileIsRefused() throws IOException {
        Files.createDirectory(path.resolve("a"));

        assertThatExceptionOfType(WrongFileTypeException.class).isThrownBy(() -> directory.openFile("a"));
        refused(Errno.EISDIR, () -> directory.openOrCreateFile("a", 0600));
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "cwd", "exe", "fd/0", "root/etc"})
    void magicLinkIsNotFollowed(String magic) throws IOException {
        try (Directory process = Directory.open(Path.of("/proc/self"))) {
            refused(Errno.ELOOP, () -> process.openFile(magic));
            refused(Errno.ELOOP, () -> process.openDirectory(magic));
        }
    }

    @Test
    void nothingIsCreatedOutsideWhileADirectoryIsSwappedForALink() throws Exception {
        Path swapped = Files.createDirectory(path.resolve("a"));
        Path link = Files.createSymbolicLink(path.resolve("link"), outside);

        int created = 0;
        try (SwapLoop swaps = new SwapLoop(swapped, link)) {
            for (int round = 0; round < ROUNDS; round++) {
                try {
                    directory.createFile("a/new", 0600).close();
                    created++;
                    directory.removeTree("a/new");
                } catch (LinuxException e) {
                    assertThat(e).matches(x -> x.is(Errno.ELOOP) || x.is(Errno.EEXIST));
                }
            }
            swaps.awaitSwaps(1);
        }

        assertThat(created).isPositive();
    }

    @Test
    void swapLoopCatchesOneWhoFollowsLinks() throws Exception {
        Path swapped = Files.createDirectory(path.resolve("a"));
        Path link = Files.createSymbolicLink(path.resolve("link"), outside);

        boolean caught = false;
        try (SwapLoop swaps = new SwapLoop(swapped, link)) {
            while (!caught) {
                swaps.awaitSwaps(1);
                caught = Files.exists(path.resolve("a/secret"));
            }
        }

        assertThat(caught).isTrue();
    }

    @Test
    void contentReadIsNeverTheOneOutsideWhileAFileIsSwappedForALink() throws Exception {
        Path swapped = Files.writeString(path.resolve("a"), "inside");
        Path link = Files.createSymbolicLink(path.resolve("link"), outside.resolve("secret"));

        int read = 0;
        try (SwapLoop swaps = new SwapLoop(swapped, link)) {
            while (read < ROUNDS) {
                try (LinuxFile file = directory.openFile("a")) {
                    assertThat(file.readAll(100)).asString(UTF_8).isEqualTo("inside");
                    read++;
                } catch (LinuxException e) {
                    assertThat(e).matches(x -> x.is(Errno.ELOOP));
                }
            }
            swaps.awaitSwaps(1);
        }
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.errno()).isEqualTo(errno.number()));
    }
}
