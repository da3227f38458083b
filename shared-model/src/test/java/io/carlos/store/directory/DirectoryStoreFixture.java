package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store in a directory, and looks at what it has there. */
abstract class DirectoryStoreFixture {
    static final ObjectKey KEY = ObjectKey.of("a/b");

    @TempDir
    Path temp;

    Path root;
    Path objects;
    final List<DirectoryObjectStore> opened = new ArrayList<>();

    @BeforeEach
    void nameRoot() {
        root = temp.resolve("store");
        objects = root.resolve("objects");
    }

    @AfterEach
    void close() {
        opened.forEach(DirectoryObjectStore::close);
    }

    DirectoryObjectStore open(Tuning tuning) {
        DirectoryObjectStore store = DirectoryObjectStore.open(root, tuning);
        opened.add(store);
        return store;
    }

    DirectoryObjectStore open() {
        return open(Tuning.USUAL);
    }

    LinuxFile lockAs(ObjectKey key) throws IOException {
        try (Directory locks = Directory.open(root.resolve("locks"))) {
            return locks.openOrCreateFile(KeyHash.bucket(key, 2), 0600);
        }
    }

    static void assertUnavailable(Runnable call, String named) {
        assertThatThrownBy(call::run)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(named);
    }

    static List<String> keys(DirectoryObjectStore store, String prefix) {
        return store.list(prefix, "", 1000).stream()
                .map(ListedObject::key)
                .map(ObjectKey::value)
                .toList();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    static List<String> names(Path directory) throws IOException {
        return list(directory).stream()
                .map(file -> file.getFileName().toString())
                .toList();
    }

    static List<String> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    static List<String> openBeneath(Path directory) throws IOException {
        List<String> open = new ArrayList<>();
        for (Path descriptor : list(Path.of("/proc/self/fd"))) {
            // Sockets and the like are links to no path, and some are closed by now.
            if (Files.isSymbolicLink(descriptor)) {
                open.add(Files.readSymbolicLink(descriptor).toString());
            }
        }
        open.removeIf(path -> !path.startsWith(directory.toString()));
        return open;
    }

    static void removeAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
