package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What this store does on disk, and what others may do to it there. */
@Timeout(120)
class DirectoryObjectStoreTest {
    private static final ObjectKey KEY = ObjectKey.of("a/b");

    @TempDir
    Path temp;

    private Path root;
    private Path objects;
    private final List<DirectoryObjectStore> opened = new ArrayList<>();

    @BeforeEach
    void nameRoot() {
        root = temp.resolve("store");
        objects = root.resolve("objects");
    }

    @AfterEach
    void close() {
        opened.forEach(DirectoryObjectStore::close);
    }

    private DirectoryObjectStore open(Tuning tuning) {
        DirectoryObjectStore store = DirectoryObjectStore.open(root, tuning);
        opened.add(store);
        return store;
    }

    private DirectoryObjectStore open() {
        return open(Tuning.USUAL);
    }

    // What is on disk.

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

    // Opening.

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

    // Links, and other things in the place of values.

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

    private LinuxFile lockAs(ObjectKey key) throws IOException {
        try (Directory locks = Directory.open(root.resolve("locks"))) {
            return locks.openOrCreateFile(KeyHash.bucket(key, 2), 0600);
        }
    }

    private static void assertUnavailable(Runnable call, String named) {
        assertThatThrownBy(call::run)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(named);
    }

    private static List<String> keys(DirectoryObjectStore store, String prefix) {
        return store.list(prefix, "", 1000).stream()
                .map(ListedObject::key)
                .map(ObjectKey::value)
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static List<String> names(Path directory) throws IOException {
        return list(directory).stream()
                .map(file -> file.getFileName().toString())
                .toList();
    }

    private static List<String> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    private static List<String> openBeneath(Path directory) throws IOException {
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

    private static void removeAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
