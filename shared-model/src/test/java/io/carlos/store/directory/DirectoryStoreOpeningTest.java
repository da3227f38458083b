package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes a store, and what is refused as one. */
@Timeout(120)
class DirectoryStoreOpeningTest extends DirectoryStoreFixture {
    @Test
    void anAbsentDirectoryIsMadeForItsOwnerAlone() throws Exception {
        root = temp.resolve("not/yet/there");
        open();
        for (Path made = root; !made.equals(temp); made = made.getParent()) {
            assertThat(Files.getPosixFilePermissions(made)).hasToString("[OWNER_READ, OWNER_WRITE, OWNER_EXECUTE]");
        }
    }

    @Test
    void anEmptyDirectoryOrFileSystemBecomesAStore() throws Exception {
        Files.createDirectories(root.resolve("lost+found"));
        open().put(KEY, bytes("one"), Precondition.NONE);
        assertThat(open().get(KEY)).isPresent();
    }

    @Test
    void anOpeningThatWasCutShortIsTakenUp() throws Exception {
        Files.createDirectories(root.resolve("tmp/4711-0123456789abcdef"));
        Files.writeString(root.resolve("tmp/4711-0123456789abcdef/0"), "carlos-st");
        Files.writeString(root.resolve("tmp/4711-0123456789abcdef.lock"), "");
        open().put(KEY, bytes("one"), Precondition.NONE);
        assertThat(names(root.resolve("tmp"))).noneMatch(name -> name.startsWith("4711"));
    }

    @Test
    void aDirectoryOfOtherFilesIsRefusedAndLeftAlone() throws Exception {
        Files.createDirectories(root.resolve("tmp/4711-0123456789abcdef"));
        Files.writeString(root.resolve("thesis.tex"), "work of years");
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(root.toString())
                .hasMessageContaining("thesis.tex");
        assertThat(names(root)).containsExactlyInAnyOrder("thesis.tex", "tmp");
        assertThat(root.resolve("tmp/4711-0123456789abcdef")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"carlos-store 2\n", "", "carlos-store 1\nand more\n", "\u001b[2J"})
    void aStoreOfAnotherFormatIsRefused(String format) throws Exception {
        open().put(KEY, bytes("one"), Precondition.NONE);
        Files.writeString(root.resolve("format"), format);
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("carlos-store 1")
                .hasMessageNotContaining("\u001b");
    }

    @Test
    void aFileInThePlaceOfTheDirectoryIsRefused() throws Exception {
        Files.writeString(root, "a file");
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(root.toString());
    }

    @Test
    void manyOpenersOfOneAbsentDirectoryGetOneStore() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<DirectoryObjectStore>> openings = new ArrayList<>();
        try (ExecutorService executor = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 8; i++) {
                openings.add(executor.submit(() -> {
                    start.await();
                    return DirectoryObjectStore.open(root);
                }));
            }
            start.countDown();
            for (Future<DirectoryObjectStore> opening : openings) {
                opened.add(opening.get(60, TimeUnit.SECONDS));
            }
        }
        opened.getFirst().put(KEY, bytes("one"), Precondition.CREATE_ONLY);
        for (DirectoryObjectStore store : opened) {
            assertThat(store.get(KEY)).isPresent();
        }
        assertThat(names(root)).containsExactlyInAnyOrder("format", "objects", "locks", "tmp", "changes");
    }
}
