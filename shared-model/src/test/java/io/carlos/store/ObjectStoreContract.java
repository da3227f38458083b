package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.testing.Seeded;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every store must do when nobody else writes. Each test keeps to keys of its own, so the store under test may be
 * shared and need not be empty. {@link ObjectStoreRaceContract} adds what it must do when others write too.
 */
public abstract class ObjectStoreContract {
    private final String root =
            "contract-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + "/";

    /** Another handle on the one store under test; called once or more in each test. */
    protected abstract ObjectStore open() throws Exception;

    /** A key that no other test uses. */
    protected final ObjectKey key(String rest) {
        return ObjectKey.of(root + rest);
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // Reads and plain writes.

    @Test
    void getOfAnAbsentKeyIsEmpty() throws Exception {
        assertThat(open().get(key("a"))).isEmpty();
    }

    @Test
    void getAfterPutGivesTheValueAndItsEtag() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), bytes("one"), Precondition.NONE);
        StoredObject read = store.get(key("a")).orElseThrow();
        assertThat(read.key()).isEqualTo(key("a"));
        assertThat(read.value()).isEqualTo(bytes("one"));
        assertThat(read.etag()).isEqualTo(etag);
        assertThat(read.lastModified()).isNotNull();
    }

    @Test
    void anotherHandleSeesTheNewestValueAtOnce() throws Exception {
        ObjectStore writer = open();
        ObjectStore reader = open();
        for (int i = 0; i < 20; i++) {
            writer.put(key("a"), bytes("value " + i), Precondition.NONE);
            assertThat(reader.get(key("a")).orElseThrow().value()).isEqualTo(bytes("value " + i));
        }
    }

    @Test
    void putWithoutPreconditionOverwritesWithLongerAndShorterValues() throws Exception {
        ObjectStore store = open();
        for (String value : List.of("middle", "much longer than before", "s", "")) {
            store.put(key("a"), bytes(value), Precondition.NONE);
            assertThat(store.get(key("a")).orElseThrow().value()).isEqualTo(bytes(value));
        }
    }

    @Test
    void differentValuesHaveDifferentEtags() throws Exception {
        ObjectStore store = open();
        String first = store.put(key("a"), bytes("one"), Precondition.NONE);
        assertThat(store.put(key("a"), bytes("two"), Precondition.NONE)).isNotEqualTo(first);
    }

    @Test
    void theStoreKeepsItsOwnCopyOfAValue() throws Exception {
        ObjectStore store = open();
        byte[] value = bytes("one");
        store.put(key("a"), value, Precondition.NONE);
        value[0] = 'X';
        store.get(key("a")).orElseThrow().value()[1] = 'X';
        assertThat(store.get(key("a")).orElseThrow().value()).isEqualTo(bytes("one"));
    }

    @Test
    void anEmptyValueIsAValue() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), new byte[0], Precondition.CREATE_ONLY);
        assertThat(store.get(key("a")).orElseThrow().value()).isEmpty();
        assertThat(list(store, "a")).containsExactly(key("a"));
        assertThat(store.put(key("a"), bytes("one"), Precondition.ifMatch(etag)))
                .isNotEqualTo(etag);
    }

    @Test
    void everyByteOfALargestValueComesBackAndOneMoreIsRefused() throws Exception {
        ObjectStore store = open();
        byte[] largest = new byte[ObjectStore.MAX_VALUE_BYTES];
        new Random(1).nextBytes(largest);
        String etag = store.put(key("largest"), largest, Precondition.CREATE_ONLY);
        StoredObject read = store.get(key("largest")).orElseThrow();
        assertThat(read.value()).isEqualTo(largest);
        assertThat(read.etag()).isEqualTo(etag);

        byte[] tooLarge = new byte[ObjectStore.MAX_VALUE_BYTES + 1];
        for (Precondition precondition :
                List.of(Precondition.NONE, Precondition.CREATE_ONLY, Precondition.ifMatch("x"))) {
            assertThatThrownBy(() -> store.put(key("too-large"), tooLarge, precondition))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(key("too-large").value())
                    .hasMessageContaining("16777217");
        }
        assertThat(store.get(key("too-large"))).isEmpty();
    }

    @Test
    void aSegmentOf255BytesIsAKeyLikeAnyOther() throws Exception {
        ObjectStore store = open();
        String segment = "s".repeat(254);
        List<ObjectKey> keys = Stream.of(segment, segment + "-", segment + "-/x", segment + "/x", segment + "0")
                .map(this::key)
                .toList();
        for (ObjectKey key : keys) {
            store.put(key, bytes(key.value()), Precondition.CREATE_ONLY);
        }
        for (ObjectKey key : keys) {
            assertThat(store.get(key).orElseThrow().value()).isEqualTo(bytes(key.value()));
        }
        assertThat(list(store, "")).containsExactlyElementsOf(keys);
        for (ObjectKey key : keys) {
            store.delete(key);
            assertThat(store.get(key)).isEmpty();
        }
        assertThat(list(store, "")).isEmpty();
    }

    @Test
    void aKeyOf1024BytesIsAKeyLikeAnyOther() throws Exception {
        ObjectStore store = open();
        String rest = ("s".repeat(200) + "/").repeat(4);
        ObjectKey key = key(rest + "t".repeat(ObjectKey.MAX_BYTES - root.length() - rest.length()));
        assertThat(key.bytes()).hasSize(ObjectKey.MAX_BYTES);
        String etag = store.put(key, bytes("one"), Precondition.CREATE_ONLY);
        store.put(key, bytes("two"), Precondition.ifMatch(etag));
        assertThat(store.get(key).orElseThrow().value()).isEqualTo(bytes("two"));
        assertThat(list(store, "")).containsExactly(key);
        store.delete(key);
        assertThat(store.get(key)).isEmpty();
    }

    @Test
    void anObjectStandsBesideObjectsBeneathIt() throws Exception {
        ObjectStore store = open();
        for (String name : List.of("a/b/c", "a/b", "a")) {
            store.put(key(name), bytes(name), Precondition.CREATE_ONLY);
        }
        for (String name : List.of("a/b/c", "a/b", "a")) {
            assertThat(store.get(key(name)).orElseThrow().value()).isEqualTo(bytes(name));
        }
        store.delete(key("a/b"));
        assertThat(list(store, "")).containsExactly(key("a"), key("a/b/c"));
    }

    // Preconditions.

    @Test
    void createOnlyOnAnExistingKeyIsAConflictAndLeavesTheValue() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), bytes("first"), Precondition.CREATE_ONLY);
        assertConflict(() -> store.put(key("a"), bytes("second"), Precondition.CREATE_ONLY), key("a"));
        assertStored(store, key("a"), "first", etag);
    }

    @Test
    void createOnlyOfTheVeryValueThatIsThereIsAConflictToo() throws Exception {
        ObjectStore store = open();
        store.put(key("a"), bytes("same"), Precondition.CREATE_ONLY);
        assertConflict(() -> store.put(key("a"), bytes("same"), Precondition.CREATE_ONLY), key("a"));
    }

    @Test
    void staleIfMatchIsAConflictAndLeavesTheValue() throws Exception {
        ObjectStore store = open();
        String stale = store.put(key("a"), bytes("first"), Precondition.CREATE_ONLY);
        String current = store.put(key("a"), bytes("second"), Precondition.NONE);
        assertConflict(() -> store.put(key("a"), bytes("third"), Precondition.ifMatch(stale)), key("a"));
        assertStored(store, key("a"), "second", current);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123456789abcdef", "\"quoted\"", "x"})
    void ifMatchOfAnEtagThatNoStoreGaveIsAConflict(String etag) throws Exception {
        ObjectStore store = open();
        store.put(key("a"), bytes("first"), Precondition.CREATE_ONLY);
        assertConflict(() -> store.put(key("a"), bytes("second"), Precondition.ifMatch(etag)), key("a"));
    }

    @Test
    void currentIfMatchReplacesTheValueAgainAndAgain() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), bytes("0"), Precondition.CREATE_ONLY);
        for (int i = 1; i <= 5; i++) {
            etag = store.put(key("a"), bytes("" + i), Precondition.ifMatch(etag));
            assertStored(store, key("a"), "" + i, etag);
        }
    }

    @Test
    void theEtagOfAReadOrAListingServesForIfMatch() throws Exception {
        ObjectStore store = open();
        store.put(key("a"), bytes("0"), Precondition.NONE);
        String read = store.get(key("a")).orElseThrow().etag();
        store.put(key("a"), bytes("1"), Precondition.ifMatch(read));
        String listed = store.list(key("a").value(), "", 1).getFirst().etag();
        store.put(key("a"), bytes("2"), Precondition.ifMatch(listed));
        assertThat(store.get(key("a")).orElseThrow().value()).isEqualTo(bytes("2"));
    }

    @Test
    void ifMatchOnAnAbsentKeyIsAConflictAndTheKeyStaysAbsent() throws Exception {
        ObjectStore store = open();
        String elsewhere = store.put(key("b"), bytes("value"), Precondition.CREATE_ONLY);
        assertConflict(() -> store.put(key("a"), bytes("value"), Precondition.ifMatch(elsewhere)), key("a"));
        assertThat(store.get(key("a"))).isEmpty();
        assertThat(list(store, "a")).isEmpty();
    }

    // Conditional reads.

    @Test
    void getUnlessMatchOfTheCurrentEtagIsUnchanged() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), bytes("one"), Precondition.NONE);
        assertThat(store.getUnlessMatch(key("a"), etag)).isEqualTo(new ConditionalRead.Unchanged());
    }

    @Test
    void getUnlessMatchOfAnOlderEtagGivesTheNewValue() throws Exception {
        ObjectStore store = open();
        String older = store.put(key("a"), bytes("one"), Precondition.NONE);
        String newer = store.put(key("a"), bytes("two"), Precondition.NONE);
        assertThat(store.getUnlessMatch(key("a"), older))
                .isInstanceOfSatisfying(ConditionalRead.Changed.class, changed -> {
                    assertThat(changed.object().key()).isEqualTo(key("a"));
                    assertThat(changed.object().value()).isEqualTo(bytes("two"));
                    assertThat(changed.object().etag()).isEqualTo(newer);
                });
    }

    @Test
    void getUnlessMatchOfAnAbsentOrRemovedKeyIsAbsent() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), bytes("one"), Precondition.NONE);
        assertThat(store.getUnlessMatch(key("b"), etag)).isEqualTo(new ConditionalRead.Absent());
        store.delete(key("a"));
        assertThat(store.getUnlessMatch(key("a"), etag)).isEqualTo(new ConditionalRead.Absent());
    }

    // Removal.

    @Test
    void deleteRemovesTheValueFromReadsAndListings() throws Exception {
        ObjectStore store = open();
        store.put(key("a"), bytes("one"), Precondition.NONE);
        store.delete(key("a"));
        assertThat(store.get(key("a"))).isEmpty();
        assertThat(list(store, "")).isEmpty();
    }

    @Test
    void deleteOfAnAbsentKeySucceeds() throws Exception {
        ObjectStore store = open();
        store.delete(key("a"));
        store.put(key("a"), bytes("one"), Precondition.NONE);
        store.delete(key("a"));
        store.delete(key("a"));
        store.delete(key("a/b/c"));
        assertThat(store.get(key("a"))).isEmpty();
    }

    @Test
    void createOnlySucceedsAfterADelete() throws Exception {
        ObjectStore store = open();
        for (int i = 0; i < 3; i++) {
            store.put(key("a/b"), bytes("round " + i), Precondition.CREATE_ONLY);
            assertThat(store.get(key("a/b")).orElseThrow().value()).isEqualTo(bytes("round " + i));
            store.delete(key("a/b"));
        }
    }

    @Test
    void ifMatchOfTheLastEtagAfterADeleteIsAConflict() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), bytes("one"), Precondition.NONE);
        store.delete(key("a"));
        assertConflict(() -> store.put(key("a"), bytes("two"), Precondition.ifMatch(etag)), key("a"));
        assertThat(store.get(key("a"))).isEmpty();
    }

    // Listings.

    @Test
    void aKeyIsListedRightAfterItsPutByEveryHandle() throws Exception {
        ObjectStore writer = open();
        ObjectStore reader = open();
        List<ObjectKey> put = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ObjectKey key = key("a/%02d/x".formatted(i));
            writer.put(key, bytes("value"), Precondition.CREATE_ONLY);
            put.add(key);
            assertThat(list(reader, "")).containsExactlyElementsOf(put);
        }
    }

    @Test
    void aListingTellsTheEtagAndSizeThatAReadTells() throws Exception {
        ObjectStore store = open();
        String etag = store.put(key("a"), bytes("four"), Precondition.NONE);
        StoredObject read = store.get(key("a")).orElseThrow();
        ListedObject row = store.list(key("a").value(), "", 10).getFirst();
        assertThat(row.key()).isEqualTo(key("a"));
        assertThat(row.etag()).isEqualTo(etag).isEqualTo(read.etag());
        assertThat(row.size()).isEqualTo(4);
        assertThat(row.lastModified()).isNotNull();
    }

    @Test
    void aListingTellsTheNewEtagRightAfterAnOverwriteOfEqualLength() throws Exception {
        ObjectStore store = open();
        for (int i = 0; i < 20; i++) {
            String etag = store.put(key("a"), bytes("value %02d".formatted(i)), Precondition.NONE);
            assertThat(store.list(key("a").value(), "", 10).getFirst().etag()).isEqualTo(etag);
        }
    }

    @Test
    void keysAreListedInTheOrderOfTheirBytes() throws Exception {
        ObjectStore store = open();
        List<String> inOrder = List.of(
                "-", "A", "_", "a", "a-", "a-b", "a-b/c", "a.b", "a/-", "a/b", "a/b-c", "a/b/c", "a/b0", "a0", "aa",
                "aa/a", "b");
        for (String name : inOrder.reversed()) {
            store.put(key(name), bytes(name), Precondition.CREATE_ONLY);
        }
        assertThat(list(store, "")).containsExactlyElementsOf(keys(inOrder));
        for (int limit : new int[] {1, 2, 5}) {
            assertThat(pages(store, "", limit)).containsExactlyElementsOf(keys(inOrder));
        }
    }

    @Test
    void aPrefixMayBeCutAnywhere() throws Exception {
        ObjectStore store = open();
        List<String> names = List.of("run", "run-1", "run/1/out", "run/10/out", "run/2/in", "run/2/out", "runs/1", "s");
        for (String name : names) {
            store.put(key(name), bytes(name), Precondition.CREATE_ONLY);
        }
        List<String> prefixes = List.of(
                "",
                "r",
                "run",
                "run/",
                "run-",
                "run/1",
                "run/1/",
                "run/2/o",
                "run/2/out",
                "run/2/out/",
                "run/2/outs",
                "runs",
                "s",
                "t",
                "run//",
                "run/2/out=");
        for (String prefix : prefixes) {
            List<String> expected =
                    names.stream().filter(n -> n.startsWith(prefix)).toList();
            assertThat(list(store, prefix)).as("prefix %s", prefix).containsExactlyElementsOf(keys(expected));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "../", "../../etc/", "/", "./", "*", "a b", "\0", "ä", "//", "contract-/../"})
    void nothingIsListedUnderAPrefixThatBeginsNoKey(String prefix) throws Exception {
        ObjectStore store = open();
        store.put(key("a"), bytes("one"), Precondition.NONE);
        assertThat(store.list(prefix, "", 10)).isEmpty();
    }

    @Test
    void startAfterIsExclusiveAndNeedsNotExist() throws Exception {
        ObjectStore store = open();
        List<String> names = List.of("a", "a-b", "a/b", "a/b/c", "a/d", "a0", "b/b", "c");
        for (String name : names) {
            store.put(key(name), bytes(name), Precondition.CREATE_ONLY);
        }
        List<String> starts = List.of(
                "", "a", "a-", "a-b", "a/", "a/a", "a/b", "a/b/", "a/b/c", "a/c", "a/d", "a/z", "a0", "b", "b/b", "b/c",
                "c", "c/a", "d", "~", "a=", "ä");
        for (String start : starts) {
            List<String> expected =
                    names.stream().filter(n -> n.compareTo(start) > 0).toList();
            assertThat(store.list(root, root + start, 100).stream().map(ListedObject::key))
                    .as("after %s", start)
                    .containsExactlyElementsOf(keys(expected));
        }
    }

    @Test
    void startAfterBeforeThePrefixListsAllOfThePrefixAndBehindItNothing() throws Exception {
        ObjectStore store = open();
        for (String name : List.of("a/1", "b/1", "b/2", "c/1")) {
            store.put(key(name), bytes(name), Precondition.CREATE_ONLY);
        }
        assertThat(store.list(root + "b/", root + "a/1", 10))
                .extracting(ListedObject::key)
                .containsExactly(key("b/1"), key("b/2"));
        assertThat(store.list(root + "b/", root + "c", 10)).isEmpty();
    }

    @Test
    void listingsInPagesOfAnySizeAgreeWithAModelForRandomKeys() throws Exception {
        ObjectStore store = open();
        AtomicInteger set = new AtomicInteger();
        Seeded.check(2, random -> {
            String under = set.incrementAndGet() + "/";
            List<String> names =
                    randomNames(random, 40).stream().map(under::concat).toList();
            for (String name : names) {
                store.put(key(name), bytes(name), Precondition.CREATE_ONLY);
            }
            for (int i = 0; i < 20; i++) {
                String some = names.get(random.nextInt(names.size()));
                String prefix = some.substring(0, under.length() + random.nextInt(some.length() - under.length() + 1));
                List<String> expected =
                        names.stream().filter(n -> n.startsWith(prefix)).toList();
                int limit = 1 + random.nextInt(expected.size() + 1);
                assertThat(pages(store, prefix, limit))
                        .as("prefix %s in pages of %d", prefix, limit)
                        .containsExactlyElementsOf(keys(expected));
            }
        });
    }

    @Test
    void aLimitIsKeptAndItsBoundsAre1And1000() throws Exception {
        ObjectStore store = open();
        for (String name : List.of("a", "b", "c")) {
            store.put(key(name), bytes(name), Precondition.CREATE_ONLY);
        }
        assertThat(store.list(root, "", 2)).hasSize(2);
        assertThat(store.list(root, "", 3)).hasSize(3);
        assertThat(store.list(root, "", ObjectStore.MAX_LIST_LIMIT)).hasSize(3);
        for (int limit : new int[] {Integer.MIN_VALUE, -1, 0, ObjectStore.MAX_LIST_LIMIT + 1}) {
            assertThatThrownBy(() -> store.list(root, "", limit))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("" + limit);
        }
    }

    /** Few characters and short segments, so that keys often begin one another; sorted, without doubles. */
    private static List<String> randomNames(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> IntStream.rangeClosed(0, random.nextInt(4))
                        .mapToObj(j -> randomSegment(random))
                        .reduce((x, y) -> x + "/" + y)
                        .orElseThrow())
                .distinct()
                .sorted()
                .toList();
    }

    private static String randomSegment(Random random) {
        String alphabet = "-a0Z_b";
        StringBuilder segment = new StringBuilder();
        do {
            segment.append(alphabet.charAt(random.nextInt(alphabet.length())));
        } while (random.nextInt(3) == 0);
        return segment.toString();
    }

    private List<ObjectKey> keys(List<String> names) {
        return names.stream().map(this::key).toList();
    }

    private List<ObjectKey> list(ObjectStore store, String prefix) {
        return store.list(root + prefix, "", ObjectStore.MAX_LIST_LIMIT).stream()
                .map(ListedObject::key)
                .toList();
    }

    /** Everything under the prefix as a caller reads it: page after page, until one is not full. */
    private List<ObjectKey> pages(ObjectStore store, String prefix, int limit) {
        List<ObjectKey> all = new ArrayList<>();
        List<ListedObject> page;
        do {
            String startAfter = all.isEmpty() ? "" : all.getLast().value();
            page = store.list(root + prefix, startAfter, limit);
            page.forEach(row -> all.add(row.key()));
        } while (page.size() == limit);
        return all;
    }

    private static void assertStored(ObjectStore store, ObjectKey key, String value, String etag) {
        Optional<StoredObject> stored = store.get(key);
        assertThat(stored).isPresent();
        assertThat(stored.get().value()).isEqualTo(bytes(value));
        assertThat(stored.get().etag()).isEqualTo(etag);
    }

    private static void assertConflict(Runnable put, ObjectKey key) {
        assertThatThrownBy(put::run).isInstanceOf(CasConflictException.class).hasMessageContaining(key.value());
    }
}
