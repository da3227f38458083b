package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.InputFileName;
import io.carlos.model.testing.Seeded;
import io.carlos.store.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunKeysTest {
    private static final RunId ID = RunId.of("run_abcdefghijklmnopqrstuvwx23");
    private static final RunKeys KEYS = new RunKeys(Account.of("acme"), App.of("web"), ID);
    private static final String PREFIX = "runs/acme/web/run_abcdefghijklmnopqrstuvwx23/";
    private static final long LAST_SEQ = 9_999_999_999L;

    @Test
    void the_objects_of_a_run_have_these_keys() {
        assertThat(KEYS.request()).hasToString(PREFIX + "request.json");
        assertThat(KEYS.result()).hasToString(PREFIX + "result.json");
        assertThat(KEYS.input(InputFileName.of("rows.csv"))).hasToString(PREFIX + "in/rows.csv");
        assertThat(KEYS.chunk(1, OutputChannel.STDOUT)).hasToString(PREFIX + "out/0000000001-o");
        assertThat(KEYS.chunk(LAST_SEQ, OutputChannel.STDERR)).hasToString(PREFIX + "out/9999999999-e");
        assertThat(KEYS.chunkPrefix()).isEqualTo(PREFIX + "out/");
    }

    @Test
    void only_the_keys_of_chunks_name_a_chunk() {
        assertThat(RunKeys.namesChunk(KEYS.chunk(7, OutputChannel.STDERR))).isTrue();
        assertThat(RunKeys.namesChunk(KEYS.result())).isFalse();
        assertThat(RunKeys.namesChunk(KEYS.input(InputFileName.of("out")))).isFalse();
    }

    /** The base32 of the UTF-8 bytes, from another implementation. */
    @ParameterizedTest
    @CsvSource({"a b, _x.meqge", "é, _x.youq", "_x., _x.l54c4", "~, _x.py", "日本.csv, _x.42l2lzu4vqxgg43w"})
    void an_input_name_that_is_no_segment_is_encoded(String name, String segment) {
        assertThat(KEYS.input(InputFileName.of(name))).hasToString(PREFIX + "in/" + segment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_x", "_y.a", "x.csv", "_X.a", "A-1_2.tar.gz"})
    void an_input_name_that_is_a_segment_stands_as_it_is(String name) {
        assertThat(KEYS.input(InputFileName.of(name))).hasToString(PREFIX + "in/" + name);
    }

    @Test
    void the_key_of_an_encoded_name_is_not_the_key_of_the_name_it_looks_like() {
        ObjectKey encoded = KEYS.input(InputFileName.of("a b"));
        String lookalike = encoded.value().substring((PREFIX + "in/").length());

        assertThat(KEYS.input(InputFileName.of(lookalike))).isNotEqualTo(encoded);
    }

    @Test
    void a_name_of_128_bytes_has_a_key_under_the_longest_account_and_app() {
        RunKeys longest = new RunKeys(Account.of("a".repeat(39)), App.of("b".repeat(39)), ID);

        for (String name : new String[] {"a".repeat(128), " ".repeat(128), "é".repeat(64), "_x." + "a".repeat(125)}) {
            assertThat(longest.input(InputFileName.of(name)).value()).contains("/in/");
        }
    }

    @Test
    void different_names_never_share_a_key() {
        Map<ObjectKey, String> names = new HashMap<>();
        Seeded.check(3000, random -> {
            String name = name(random);
            String before = names.put(KEYS.input(InputFileName.of(name)), name);
            assertThat(before == null || before.equals(name))
                    .as("%s and %s", before, name)
                    .isTrue();
        });
    }

    private static String name(Random random) {
        String[] pieces = {"a", "b", "_x.", "x", ".", "_", " ", "é", "youq", "meqge", "日", "\ud83d\ude00", "2"};
        StringBuilder name = new StringBuilder(random.nextBoolean() ? "_x." : "n");
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            name.append(pieces[random.nextInt(pieces.length)]);
        }
        return name.toString();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 9, 10, 1_000_000, LAST_SEQ})
    void a_chunks_key_is_parsed_to_what_it_was_made_of(long seq) {
        for (OutputChannel channel : OutputChannel.values()) {
            assertThat(KEYS.parseChunk(KEYS.chunk(seq, channel))).contains(new RunKeys.ChunkName(seq, channel));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PREFIX + "out/0000000000-o",
                PREFIX + "out/0000000001-x",
                PREFIX + "out/0000000001_o",
                PREFIX + "out/000000001-o",
                PREFIX + "out/00000000001-o",
                PREFIX + "out/-000000001-o",
                PREFIX + "out/000000000a-o",
                PREFIX + "out/0000000001-oo",
                PREFIX + "out/0000000001-",
                PREFIX + "in/0000000001-o",
                PREFIX + "result.json",
                "runs/acme/web/run_bbbbbbbbbbbbbbbbbbbbbbbbbb/out/0000000001-o",
                "runs/acme/other/run_abcdefghijklmnopqrstuvwx23/out/0000000001-o"
            })
    void another_key_is_no_chunk_of_this_run(String key) {
        assertThat(KEYS.parseChunk(ObjectKey.of(key))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, LAST_SEQ + 1})
    void a_seq_out_of_bounds_has_no_key(long seq) {
        assertThatThrownBy(() -> KEYS.chunk(seq, OutputChannel.STDOUT)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 9, 99, 1_000_000, LAST_SEQ - 1})
    void after_a_chunk_is_behind_both_of_its_keys_and_before_those_of_the_next(long seq) {
        for (OutputChannel channel : OutputChannel.values()) {
            assertThat(KEYS.afterChunk(seq))
                    .isGreaterThan(KEYS.chunk(seq, channel).value());
            assertThat(KEYS.afterChunk(seq))
                    .isLessThan(KEYS.chunk(seq + 1, channel).value());
        }
    }

    @Test
    void after_chunk_0_is_before_every_chunk() {
        assertThat(KEYS.afterChunk(0))
                .isLessThan(KEYS.chunk(1, OutputChannel.STDERR).value());
    }
}
