package io.carlos.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.testing.Mutations;
import io.carlos.model.testing.Seeded;
import io.carlos.model.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonReaderTest {
    private static final int MAX_BYTES = 4096;

    /** Another strict parser, to be held against. */
    private static final JsonMapper JACKSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(16).build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                " {\"a\" : [ 1 , -0.5e+3 , true , false , null , \"x\" , { } ] }\n",
                "\"\"",
                "0",
                "-1",
                "1E2",
                "1e-2",
                "null",
                "{\"a\":{\"a\":1},\"A\":1}",
                "\"\\u0041\\n\\/\\\"\\\\😀\\ud83d\\ude00\""
            })
    void aJsonDocumentIsSkippedToItsEnd(String json) {
        skipAll(bytes(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "[1",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,}",
                "{\"a\":1 \"b\":2}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "01",
                "1.",
                ".5",
                "+1",
                "-",
                "1e",
                "1e+",
                "1e+-1",
                "0x1",
                "NaN",
                "Infinity",
                "tru",
                "nul",
                "True",
                "truefalse",
                "\"",
                "\"a",
                "\"\\\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "\"\t\"",
                "{}{}",
                "{} x",
                "1 2",
                "[1]]",
                "[1}",
                "{\"a\":1]",
                "//\n1",
                "/**/1",
                "\ufeff{}",
                "\0",
                "{}\0",
                "[\0]",
                "1\0",
                "\u00a01"
            })
    void whatIsNoJsonDocumentIsRefused(String json) {
        assertThatThrownBy(() -> skipAll(bytes(json)))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("a file: ");
    }

    @Test
    void aMemberGivenTwiceIsRefusedAlsoInWhatIsSkipped() {
        assertThatThrownBy(() -> skipAll(bytes("{\"a\":[{\"b\":1,\"c\":2,\"\\u0062\":3}]}")))
                .hasMessage("a file: the member \"b\" is given twice");
    }

    @Test
    void sixteenLevelsAreRead() {
        skipAll(bytes("[".repeat(16) + "]".repeat(16)));
        skipAll(bytes("{\"a\":".repeat(16) + "1" + "}".repeat(16)));
    }

    @Test
    void seventeenLevelsAreRefused() {
        assertThatThrownBy(() -> skipAll(bytes("[".repeat(17) + "]".repeat(17))))
                .hasMessage("a file: it nests deeper than 16 levels");
        assertThatThrownBy(() -> skipAll(bytes("{\"a\":".repeat(17) + "1" + "}".repeat(17))))
                .hasMessageContaining("deeper than 16");
    }

    @Test
    void manySiblingsAreNotDeep() {
        skipAll(bytes("[" + "[[]],".repeat(100) + "[]]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\\u0000\"", "{\"\\u0000\":1}", "\"a\\u0000b\""})
    void aTextWithNulIsRefused(String json) {
        assertThatThrownBy(() -> skipAll(bytes(json))).hasMessageContaining("holds NUL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\\ud800\"", "\"\\udc00\"", "\"\\ud83dx\"", "\"\\ude00\\ud83d\""})
    void halfASurrogatePairIsRefused(String json) {
        assertThatThrownBy(() -> skipAll(bytes(json))).hasMessageContaining("half a surrogate pair");
    }

    @Test
    void malformedUtf8IsRefused() {
        byte[] latin1 = "\"é\"".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> skipAll(latin1)).hasMessage("a file: it is not well-formed UTF-8");
        assertThatThrownBy(() -> skipAll("{}".getBytes(StandardCharsets.UTF_16)))
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aDocumentOverTheLimitIsRefused() {
        skipAll(bytes(" ".repeat(MAX_BYTES - 1) + "1"));
        assertThatThrownBy(() -> skipAll(bytes(" ".repeat(MAX_BYTES) + "1")))
                .hasMessage("a file: it has 4097 bytes, over the 4096 allowed");
    }

    @Test
    void anEscapedTextIsReadAsWhatItMeans() {
        assertThat(reader("\"\\u0041\\u00e9\\u20AC\\uFfFd\\b\\f\\n\\r\\t\\\"\\\\\\/\"")
                        .text())
                .isEqualTo("A\u00e9\u20ac\ufffd\b\f\n\r\t\"\\/");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-0, 0", "2147483647, 2147483647", "-2147483648, -2147483648"})
    void aWholeNumberIsRead(String json, int value) {
        assertThat(reader(json).integer()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483648", "1.0", "1e2", "\"1\"", "true", "null", "[1]"})
    void anyOtherValueIsNoWholeNumber(String json) {
        assertThatThrownBy(() -> reader(json).integer()).isInstanceOf(InvalidDocumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "\"true\"", "null", "TRUE"})
    void anyOtherValueIsNoBoolean(String json) {
        assertThat(reader("true").bool()).isTrue();
        assertThat(reader(" false").bool()).isFalse();
        assertThatThrownBy(() -> reader(json).bool()).hasMessage("a file: expected true or false, at character 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\"", "{}", "null", "[1]", "[null]", "[[\"a\"]]"})
    void anyOtherValueIsNoArrayOfTexts(String json) {
        assertThat(reader("[ \"a\" , \"\" ]").texts()).containsExactly("a", "");
        assertThat(reader("[]").texts()).isEmpty();
        assertThatThrownBy(() -> reader(json).texts()).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void membersComeInTheirOrder() {
        JsonReader in = reader("{\"b\":{\"x\":1},\"a\":[1,2]}");
        in.beginObject();
        assertThat(in.nextName()).isEqualTo("b");
        in.skip();
        assertThat(in.nextName()).isEqualTo("a");
        in.beginArray();
        List<Integer> numbers = new ArrayList<>();
        while (in.nextElement()) {
            numbers.add(in.integer());
        }
        assertThat(numbers).containsExactly(1, 2);
        assertThat(in.nextName()).isNull();
        in.endDocument();
    }

    @Test
    void whatAMessageRepeatsOfTheDocumentIsHarmlessAndShort() {
        String name = "\\u001b".repeat(1_000);
        assertThatThrownBy(() ->
                        new JsonReader("a file", bytes("{\"" + name + "\":1,\"" + name + "\":1}"), 100_000).skip())
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(600).doesNotContain("\u001b"));
    }

    @Test
    void whatIsWrittenIsReadByJacksonToo() {
        Seeded.check(2_000, random -> {
            String text = random.ints(random.nextInt(8), 1, 0xd800)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            String json = new JsonWriter()
                    .member("text", text)
                    .member("number", random.nextInt())
                    .member("flag", random.nextBoolean())
                    .texts("texts", random.nextBoolean() ? List.of() : List.of(text, "", text))
                    .objects("objects", List.of(new JsonWriter(), new JsonWriter().member("a", 1)))
                    .toString();
            skipAll(bytes(json));
            JsonNode node = JACKSON.readTree(json);
            assertThat(node.path("text").stringValue()).isEqualTo(text);
            assertThat(node.path("objects")).hasSize(2);
        });
    }

    @Test
    void aBrokenDocumentIsRefusedExactlyWhenJacksonRefusesIt() {
        String valid = "{\"schema\":1,\"a\":[\"x\",{\"b\":-1.5e3},[true,null]],\"é\":\"\\u00e9\\n\",\"c\":{}}";
        Seeded.check(50_000, random -> {
            byte[] document = Mutations.mutate(random, valid);
            assertThat(isTaken(document))
                    .as("%s", new String(document, StandardCharsets.UTF_8))
                    .isEqualTo(isTakenByJackson(document));
        });
    }

    private static boolean isTaken(byte[] document) {
        try {
            skipAll(document);
            return true;
        } catch (InvalidDocumentException e) {
            return false;
        }
    }

    private static boolean isTakenByJackson(byte[] document) {
        String text = Utf8.decode(document);
        if (text == null) {
            return false;
        }
        try {
            JsonNode root = JACKSON.readTree(text);
            // An empty document is to Jackson a missing node; NUL and half a pair are texts like others.
            return !root.isMissingNode() && isPlain(root);
        } catch (JacksonException e) {
            return false;
        }
    }

    private static boolean isPlain(JsonNode node) {
        if (node.isString()) {
            return isPlain(node.stringValue());
        }
        return node.propertyNames().stream().allMatch(JsonReaderTest::isPlain)
                && node.valueStream().allMatch(JsonReaderTest::isPlain);
    }

    private static boolean isPlain(String text) {
        return text.indexOf('\0') < 0 && Utf8.isEncodable(text);
    }

    private static void skipAll(byte[] document) {
        JsonReader in = new JsonReader("a file", document, MAX_BYTES);
        in.skip();
        in.endDocument();
    }

    private static JsonReader reader(String json) {
        return new JsonReader("a file", bytes(json), MAX_BYTES);
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
