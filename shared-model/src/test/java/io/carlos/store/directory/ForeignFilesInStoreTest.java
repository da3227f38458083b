package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others put in the place of the store's own files. */
@Timeout(120)
class ForeignFilesInStoreTest extends DirectoryStoreFixture {
    @ParameterizedTest
    @ValueSource(strings = {"objects", "locks", "tmp", "changes"})
    void aLinkInThePlaceOfADirectoryOfTheStoreIsRefused(String name) throws Exception {
        open().close();
        opened.clear();
        Path outside = Files.createDirectory(temp.resolve("outside"));
        removeAll(root.resolve(name));
        Files.createSymbolicLink(root.resolve(name), outside);
        assertThatThrownBy(this::open).isInstanceOf(StoreUnavailableException.class);
        assertThat(names(outside)).isEmpty();
    }

    @Test
    void aLinkInThePlaceOfAValueIsNeverFollowed() throws Exception {
        DirectoryObjectStore store = open();
        Path secret = Files.writeString(temp.resolve("secret"), "secret");
        Files.createDirectories(objects.resolve("a"));
        Files.createSymbolicLink(objects.resolve("a/b="), secret);
        assertUnavailable(() -> store.get(KEY), "a/b");
        assertUnavailable(() -> store.getUnlessMatch(KEY, "x"), "a/b");
        assertUnavailable(() -> store.put(KEY, bytes("x"), Precondition.ifMatch("x")), "a/b");
        assertUnavailable(() -> store.list("", "", 10), "a/b");
        store.put(KEY, bytes("mine"), Precondition.NONE);
        assertThat(secret).hasContent("secret");
        assertThat(objects.resolve("a/b=")).isRegularFile().hasContent("mine");
    }

    @Test
    void aLinkInThePlaceOfADirectoryOfKeysIsNeverFollowed() throws Exception {
        DirectoryObjectStore store = open();
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("b="), "secret");
        Files.createSymbolicLink(objects.resolve("a"), outside);
        assertUnavailable(() -> store.get(KEY), "a/b");
        assertUnavailable(() -> store.put(KEY, bytes("x"), Precondition.NONE), "a/b");
        assertUnavailable(() -> store.put(ObjectKey.of("a/c"), bytes("x"), Precondition.CREATE_ONLY), "a/c");
        assertUnavailable(() -> store.delete(KEY), "a/b");
        assertUnavailable(() -> store.list("", "", 10), "objects/a");
        assertThat(names(outside)).containsExactly("b=");
        assertThat(secret).hasContent("secret");
    }

    @Test
    void aLinkInThePlaceOfALockOrAChangeFileIsNeverFollowed() throws Exception {
        DirectoryObjectStore store = open();
        Path outside = Files.writeString(temp.resolve("outside"), "outside");
        for (int i = 0; i < 256; i++) {
            Files.createSymbolicLink(root.resolve("locks/%02x".formatted(i)), outside);
        }
        for (int i = 0; i < 4096; i++) {
            Files.createSymbolicLink(root.resolve("changes/%03x".formatted(i)), outside);
        }
        store.put(KEY, bytes("one"), Precondition.CREATE_ONLY);
        assertUnavailable(() -> store.put(KEY, bytes("two"), Precondition.NONE), "a/b");
        assertThat(outside).hasContent("outside");
    }

    @Test
    @Timeout(10)
    void aFifoInThePlaceOfAValueIsRefusedAtOnce() throws Exception {
        DirectoryObjectStore store = open();
        Files.createDirectories(objects.resolve("a"));
        new ProcessBuilder("mkfifo", objects.resolve("a/b=").toString()).start().waitFor();
        assertUnavailable(() -> store.get(KEY), "a/b");
    }

    @Test
    void namesThatNoKeyLeadsToAreNotListed() throws Exception {
        DirectoryObjectStore store = open();
        store.put(KEY, bytes("one"), Precondition.NONE);
        Files.writeString(objects.resolve("README"), "a note");
        Files.writeString(objects.resolve("a/.b=.swp"), "an editor's");
        Files.writeString(objects.resolve("a/b c="), "a blank");
        Files.writeString(objects.resolve("a/="), "no name");
        Files.writeString(objects.resolve("="), "no name");
        Files.writeString(objects.resolve("a/x=="), "two marks");
        Files.createDirectory(objects.resolve("a/d e"));
        Files.writeString(objects.resolve("a/d e/f="), "beneath a blank");
        assertThat(keys(store, "")).containsExactly("a/b");
        assertThat(keys(store, "a/d e/")).isEmpty();
    }

    @Test
    void aValueOver16MiBThatSomebodyPutThereIsRefused() throws Exception {
        DirectoryObjectStore store = open();
        Files.write(objects.resolve("large="), new byte[16 * 1024 * 1024 + 1]);
        assertUnavailable(() -> store.get(ObjectKey.of("large")), "large");
    }
}
