package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What this store has on disk. */
@Timeout(120)
class DirectoryObjectStoreTest extends DirectoryStoreFixture {
    @Test
    void aValueIsAPlainFileThatAPersonCanReadAndHash() throws Exception {
        String etag = open().put(KEY, bytes("hello\n"), Precondition.CREATE_ONLY);
        Path file = objects.resolve("a/b=");
        assertThat(file).hasContent("hello\n");
        assertThat(etag).isEqualTo("5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
    }

    @Test
    void aSegmentTooLongForTheMarkIsADirectoryWithTheFileInIt() {
        String segment = "s".repeat(255);
        open().put(ObjectKey.of("a/" + segment), bytes("one"), Precondition.CREATE_ONLY);
        assertThat(objects.resolve("a/" + segment + "/=")).hasContent("one");
    }

    @Test
    void nothingTemporaryStaysBehindAfterAWriteAConflictOrAClose() throws Exception {
        DirectoryObjectStore store = open();
        store.put(KEY, bytes("one"), Precondition.CREATE_ONLY);
        store.put(KEY, bytes("two"), Precondition.NONE);
        assertThatThrownBy(() -> store.put(KEY, bytes("x"), Precondition.CREATE_ONLY))
                .isInstanceOf(CasConflictException.class);
        assertThatThrownBy(() -> store.put(KEY, bytes("x"), Precondition.ifMatch("x")))
                .isInstanceOf(CasConflictException.class);
        assertThat(filesIn(root.resolve("tmp"))).hasSize(1).allMatch(name -> name.endsWith(".lock"));
        store.close();
        opened.clear();
        assertThat(names(root.resolve("tmp"))).isEmpty();
    }

    @Test
    void aConflictIsSeenUnderTheLockTooAndLeavesNothingTemporary() throws Exception {
        DirectoryObjectStore other = open();
        String etag = other.put(KEY, bytes("one"), Precondition.NONE);
        DirectoryObjectStore store = open(Tuning.USUAL.withObserver(step -> {
            if (step == WriteStep.TEMP_SYNCED) {
                other.put(KEY, bytes("two"), Precondition.NONE);
            }
        }));
        assertThatThrownBy(() -> store.put(KEY, bytes("three"), Precondition.ifMatch(etag)))
                .isInstanceOf(CasConflictException.class);
        assertThatThrownBy(() -> {
                    other.delete(KEY);
                    store.put(KEY, bytes("three"), Precondition.CREATE_ONLY);
                })
                .isInstanceOf(CasConflictException.class);
        assertThat(other.get(KEY).orElseThrow().value()).isEqualTo(bytes("two"));
        assertThat(filesIn(root.resolve("tmp"))).allMatch(name -> name.endsWith(".lock"));
    }

    @Test
    void aRemovalTakesDirectoriesThatBecomeEmptyWithIt() {
        DirectoryObjectStore store = open();
        store.put(ObjectKey.of("a/b/c/d"), bytes("one"), Precondition.NONE);
        store.put(ObjectKey.of("a/x"), bytes("two"), Precondition.NONE);
        store.delete(ObjectKey.of("a/b/c/d"));
        assertThat(objects.resolve("a/b")).doesNotExist();
        assertThat(objects.resolve("a")).exists();
        store.delete(ObjectKey.of("a/x"));
        assertThat(objects.resolve("a")).doesNotExist();
        assertThat(objects).exists();
    }

    @Test
    void aDirectoryThatAnotherHandleRemovedAndMadeAgainIsNotWrittenToByItsOldSelf() {
        DirectoryObjectStore first = open();
        DirectoryObjectStore second = open();
        first.put(ObjectKey.of("a/b/1"), bytes("one"), Precondition.NONE);
        second.delete(ObjectKey.of("a/b/1"));
        first.put(ObjectKey.of("a/b/2"), bytes("two"), Precondition.CREATE_ONLY);
        second.delete(ObjectKey.of("a/b/2"));
        second.put(ObjectKey.of("a/b/3"), bytes("three"), Precondition.NONE);
        first.put(ObjectKey.of("a/b/4"), bytes("four"), Precondition.NONE);
        assertThat(keys(second, "")).containsExactly("a/b/3", "a/b/4");
    }

    @Test
    void moreDirectoriesThanAreKeptOpenAreWrittenToAgainAndAgain() throws Exception {
        DirectoryObjectStore store = open();
        for (String name : List.of("x", "y")) {
            for (int i = 0; i < 200; i++) {
                store.put(ObjectKey.of("d%03d/%s".formatted(i, name)), bytes(name), Precondition.CREATE_ONLY);
            }
        }
        assertThat(keys(store, "")).hasSize(400);
        assertThat(openBeneath(objects)).hasSizeBetween(100, 130);
    }

    @Test
    void aClosedOrRefusedStoreLeavesNoFileOpen() throws Exception {
        DirectoryObjectStore store = open();
        store.put(KEY, bytes("one"), Precondition.NONE);
        store.watch(KEY, () -> {});
        store.close();
        opened.clear();
        assertThat(openBeneath(root)).isEmpty();
        removeAll(root.resolve("changes"));
        Files.createSymbolicLink(root.resolve("changes"), temp);
        assertThatThrownBy(this::open).isInstanceOf(StoreUnavailableException.class);
        assertThat(openBeneath(root)).isEmpty();
    }
}
