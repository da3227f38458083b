package io.carlos.model.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinuxFileTest {
    private static final int BUFFER = 64 * 1024;

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

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BUFFER - 1, BUFFER, BUFFER + 1, 5 * BUFFER + 17})
    void contentOfAnyLengthIsWrittenAndReadBack(int length) throws IOException {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);

        try (LinuxFile file = directory.createFile("a", 0600)) {
            file.write(content);
            assertThat(file.size()).isEqualTo(length);
        }

        assertThat(Files.readAllBytes(path.resolve("a"))).isEqualTo(content);
        try (LinuxFile file = directory.openFile("a")) {
            assertThat(file.readAll(length)).isEqualTo(content);
        }
    }

    @Test
    void rangeOfAnArrayIsWrittenAndRead() throws IOException {
        try (LinuxFile file = directory.createFile("a", 0600)) {
            file.write("<content>".getBytes(UTF_8), 1, 7);
        }

        byte[] target = "..........".getBytes(UTF_8);
        try (LinuxFile file = directory.openFile("a")) {
            assertThat(file.read(target, 2, 3)).isEqualTo(3);
            assertThat(file.read(target, 5, 5)).isEqualTo(4);
            assertThat(file.read(target, 5, 5)).isZero();
        }
        assertThat(target).asString(UTF_8).isEqualTo("..content.");
    }

    @Test
    void readAllRefusesMoreThanTheLimit() throws IOException {
        Files.writeString(path.resolve("a"), "12345");

        try (LinuxFile file = directory.openFile("a")) {
            assertThatIOException()
                    .isThrownBy(() -> file.readAll(4))
                    .withMessage("%s/a: expected at most 4 bytes, found more", path);
        }
    }

    @Test
    void readAllReadsAFileWhoseSizeIsNotKnownBefore() throws IOException {
        try (Directory process = Directory.open(Path.of("/proc/self"));
                LinuxFile file = process.openFile("status")) {
            assertThat(file.size()).isZero();
            assertThat(file.readAll(1 << 20)).asString(UTF_8).contains("Name:").contains("nonvoluntary_ctxt_switches");
        }
    }

    @Test
    void fileOpenedForReadingRefusesToBeWritten() throws IOException {
        Files.writeString(path.resolve("a"), "content");

        try (LinuxFile file = directory.openFile("a")) {
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> file.write(new byte[1]))
                    .withMessage("write: %s/a: EBADF: not an open descriptor of this kind", path);
        }
    }

    @Test
    void interruptedThreadWritesSyncsAndReads() throws IOException {
        Thread.currentThread().interrupt();
        try (LinuxFile file = directory.createFile("a", 0600)) {
            file.write("content".getBytes(UTF_8));
            file.sync();
            file.syncData();
        }
        try (LinuxFile file = directory.openFile("a")) {
            assertThat(file.readAll(100)).asString(UTF_8).isEqualTo("content");
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void tryLockAnswersWhetherAnotherOpeningHoldsTheFile() throws IOException {
        try (LinuxFile holder = directory.openOrCreateFile("lock", 0600);
                LinuxFile other = directory.openOrCreateFile("lock", 0600)) {
            assertThat(holder.tryLock()).isTrue();
            assertThat(other.tryLock()).isFalse();
            holder.unlock();
            assertThat(other.tryLock()).isTrue();
        }
    }

    @Test
    void lockEndsWithTheFileThatHoldsIt() throws IOException {
        try (LinuxFile other = directory.openOrCreateFile("lock", 0600)) {
            LinuxFile holder = directory.openOrCreateFile("lock", 0600);
            holder.lock();
            holder.close();

            assertThat(other.tryLock()).isTrue();
        }
    }

    @Test
    void lockWaitsForTheHolderAndNoInterruptEndsIt() throws Exception {
        try (LinuxFile holder = directory.openOrCreateFile("lock", 0600);
                LinuxFile waiter = directory.openOrCreateFile("lock", 0600)) {
            holder.lock();
            AtomicBoolean released = new AtomicBoolean();
            CompletableFuture<Boolean> lockedAfterRelease = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    waiter.lock();
                    lockedAfterRelease.complete(
                            released.get() && Thread.currentThread().isInterrupted());
                } catch (IOException | RuntimeException e) {
                    lockedAfterRelease.completeExceptionally(e);
                }
            });
            awaitWaiterIn("/proc/locks", holder.status().inode());
            thread.interrupt();

            released.set(true);
            holder.unlock();

            assertThat(lockedAfterRelease.get()).isTrue();
        }
    }

    @Test
    void closeLetsACallThatIsUnderWayFinish() throws Exception {
        try (LinuxFile holder = directory.openOrCreateFile("lock", 0600)) {
            LinuxFile waiter = directory.openOrCreateFile("lock", 0600);
            holder.lock();
            CompletableFuture<Boolean> finished = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                try {
                    waiter.lock();
                    finished.complete(true);
                } catch (IOException | RuntimeException e) {
                    finished.completeExceptionally(e);
                }
            });
            awaitWaiterIn("/proc/locks", holder.status().inode());

            waiter.close();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(waiter::size);
            holder.unlock();

            assertThat(finished.get()).isTrue();
            // The descriptor went with the call, and the lock with the descriptor.
            holder.lock();
        }
    }

    /** A line of somebody who waits is like {@code 1: -> FLOCK  ADVISORY  WRITE 123 fe:00:4711 0 EOF}. */
    private static void awaitWaiterIn(String locks, long inode) throws IOException {
        while (Files.readAllLines(Path.of(locks)).stream()
                .noneMatch(line -> line.contains("-> FLOCK") && line.contains(":" + inode + " "))) {
            Thread.onSpinWait();
        }
    }
}
