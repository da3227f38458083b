package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxException;
import io.carlos.store.ListedObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a listing costs; what it answers is in the contract of all stores. */
class ListingTest {
    @TempDir
    Path objects;

    private Directory directory;
    private StoredFiles files;

    @BeforeEach
    void open() throws IOException {
        directory = Directory.open(objects);
        files = new StoredFiles(directory, new EtagCache(Duration.ZERO), InstantSource.system());
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
    }

    @Test
    void aSecondListingOf10000UnchangedValuesReadsNone() throws Exception {
        for (int app = 0; app < 100; app++) {
            Path path = Files.createDirectories(objects.resolve("records/acct/app" + app));
            for (int host = 0; host < 100; host++) {
                Files.writeString(
                        path.resolve("host" + host + ".json="), "{\"app\":" + app + ",\"host\":" + host + "}");
            }
        }
        List<ListedObject> first = listAll();
        assertThat(first).hasSize(10_000);
        assertThat(files.hashed()).isEqualTo(10_000);
        assertThat(listAll()).isEqualTo(first);
        assertThat(files.hashed()).isEqualTo(10_000);
    }

    @Test
    void onlyTheValueThatChangedIsReadAgain() throws Exception {
        Files.writeString(objects.resolve("a="), "one");
        Files.writeString(objects.resolve("b="), "one");
        List<ListedObject> first = listAll();
        Files.writeString(objects.resolve("new"), "two");
        Files.move(objects.resolve("new"), objects.resolve("b="), StandardCopyOption.ATOMIC_MOVE);
        List<ListedObject> second = listAll();
        assertThat(files.hashed()).isEqualTo(3);
        assertThat(second.getFirst()).isEqualTo(first.getFirst());
        assertThat(second.getLast().etag()).isNotEqualTo(first.getLast().etag());
    }

    @Test
    void onlyRowsThatAreAskedForAreRead() throws Exception {
        for (String name : List.of("a=", "b=", "c=", "d=")) {
            Files.writeString(objects.resolve(name), name);
        }
        assertThat(list("", "a", 2)).extracting(row -> row.key().value()).containsExactly("b", "c");
        assertThat(files.hashed()).isEqualTo(2);
    }

    /** A link among the directories fails whoever goes there, so it shows where a listing goes. */
    @Test
    void directoriesOutsideOfWhatIsAskedForAreNotGoneInto() throws Exception {
        for (String name : List.of("a/x=", "c/x=", "c/y/z=", "e/x=")) {
            Files.createDirectories(objects.resolve(name).getParent());
            Files.writeString(objects.resolve(name), name);
        }
        for (String trap : List.of("b", "d", "c/trap")) {
            Files.createSymbolicLink(objects.resolve(trap), objects);
        }
        assertThatThrownBy(() -> list("", "", 10)).isInstanceOf(LinuxException.class);
        assertThat(list("a/", "", 10)).hasSize(1);
        assertThat(list("", "", 1)).hasSize(1);
        assertThat(list("e", "", 10)).hasSize(1);
        assertThat(list("", "d0", 10)).hasSize(1);
        assertThat(list("c/y", "", 10)).hasSize(1);
        assertThat(list("c", "c/trap0", 10)).hasSize(2);
    }

    private List<ListedObject> list(String prefix, String startAfter, int limit) throws IOException {
        return new Listing(files, prefix, startAfter, limit).of(directory);
    }

    private List<ListedObject> listAll() throws IOException {
        List<ListedObject> all = new ArrayList<>();
        List<ListedObject> page;
        do {
            String startAfter = all.isEmpty() ? "" : all.getLast().key().value();
            page = list("", startAfter, 1000);
            all.addAll(page);
        } while (page.size() == 1000);
        return all;
    }
}
