package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.LinuxFile;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that wait, are interrupted, or fail on their way. */
@Timeout(120)
class DirectoryWritesTest extends DirectoryStoreFixture {
    // Locks.

    @Test
    void aWriterGivesUpOnALockThatIsNeverFreedAndGetsItOnceItIs() throws Exception {
        DirectoryObjectStore store = open(Tuning.USUAL.withLockPatience(Duration.ofMillis(50)));
        try (LinuxFile held = lockAs(KEY)) {
            held.lock();
            assertUnavailable(() -> store.put(KEY, bytes("one"), Precondition.NONE), "another process holds it");
            assertUnavailable(() -> store.delete(KEY), "another process holds it");
            assertThat(store.get(KEY)).isEmpty();
            held.unlock();
            store.put(KEY, bytes("two"), Precondition.NONE);
        }
    }

    @Test
    void aLockOnAFileThatSomebodyRemovedDoesNotCount() throws Exception {
        DirectoryObjectStore store = open(Tuning.USUAL.withLockPatience(Duration.ofMillis(50)));
        store.put(KEY, bytes("one"), Precondition.NONE);
        removeAll(root.resolve("locks").resolve(KeyHash.bucket(KEY, 2)));
        try (LinuxFile heldByOther = lockAs(KEY)) {
            heldByOther.lock();
            assertUnavailable(() -> store.put(KEY, bytes("two"), Precondition.NONE), "another process holds it");
        }
        store.put(KEY, bytes("two"), Precondition.NONE);
    }

    @Test
    void aWriterThatIsInterruptedFinishesAndStaysInterrupted() throws Exception {
        DirectoryObjectStore store = open();
        for (boolean virtual : new boolean[] {true, false}) {
            ObjectKey key = ObjectKey.of("interrupted/" + virtual);
            Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
            List<Boolean> stillInterrupted = new ArrayList<>();
            Thread writer = builder.start(() -> {
                Thread.currentThread().interrupt();
                String etag = store.put(key, new byte[300_000], Precondition.CREATE_ONLY);
                store.put(key, bytes("two"), Precondition.ifMatch(etag));
                store.list("", "", 10);
                stillInterrupted.add(Thread.interrupted());
            });
            writer.join();
            assertThat(stillInterrupted).containsExactly(true);
            assertThat(store.get(key).orElseThrow().value()).isEqualTo(bytes("two"));
        }
    }

    @Test
    void aWriterThatIsInterruptedWhileItWaitsForALockGetsItLater() throws Exception {
        DirectoryObjectStore store = open();
        List<Boolean> stillInterrupted = new ArrayList<>();
        Thread writer;
        try (LinuxFile held = lockAs(KEY)) {
            held.lock();
            writer = Thread.ofPlatform().start(() -> {
                store.put(KEY, bytes("one"), Precondition.NONE);
                stillInterrupted.add(Thread.interrupted());
            });
            while (writer.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            writer.interrupt();
        }
        writer.join();
        assertThat(stillInterrupted).containsExactly(true);
        assertThat(store.get(KEY)).isPresent();
    }

    // Failures.

    @Test
    void aSyncThatFailsAfterTheWriteLeavesTheOutcomeOpen() {
        DirectoryObjectStore store = open(Tuning.USUAL.withDirectorySync(directory -> {
            if (directory.shownPath().endsWith("/a")) {
                throw new IOException("the disk is gone");
            }
            directory.sync();
        }));
        assertThatThrownBy(() -> store.put(KEY, bytes("one"), Precondition.CREATE_ONLY))
                .isInstanceOf(AmbiguousWriteException.class)
                .hasMessageContaining("put a/b")
                .hasMessageContaining("the disk is gone");
        assertThat(store.get(KEY).orElseThrow().value()).isEqualTo(bytes("one"));
    }

    @Test
    void aSyncThatFailsOnTheWayToTheWriteLeavesNothingWritten() {
        DirectoryObjectStore store = open(Tuning.USUAL.withDirectorySync(directory -> {
            throw new IOException("the disk is gone");
        }));
        assertUnavailable(() -> store.put(KEY, bytes("one"), Precondition.CREATE_ONLY), "put a/b");
        assertThat(store.get(KEY)).isEmpty();
    }

    @Test
    void aFileInThePlaceOfADirectoryOfKeysIsNamed() throws Exception {
        DirectoryObjectStore store = open();
        Files.writeString(objects.resolve("a"), "a note");
        assertUnavailable(() -> store.put(KEY, bytes("one"), Precondition.CREATE_ONLY), "put a/b");
        assertThat(objects.resolve("a")).hasContent("a note");
    }

    @Test
    void temporaryDirectoriesThatACleanerRemovedAreMadeAgain() throws Exception {
        DirectoryObjectStore store = open();
        for (Path file : list(root.resolve("tmp"))) {
            removeAll(file);
        }
        store.put(KEY, bytes("one"), Precondition.CREATE_ONLY);
        assertThat(store.get(KEY)).isPresent();
        for (Path file : list(root.resolve("tmp"))) {
            removeAll(file);
        }
        store.close();
    }
}
