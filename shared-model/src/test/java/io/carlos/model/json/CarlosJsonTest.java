package io.carlos.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.names.InputFileName;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.runs.RunId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CarlosJsonTest {
    record Sample(
            int schema,
            Host host,
            Instant createdAt,
            List<String> argv,
            @Nullable String lastWords,
            Role role,
            boolean truncated) {}

    record Names(
            Account account,
            App app,
            Incarnation incarnation,
            InputFileName file,
            InstanceId instance,
            InvocationId invocation,
            RunId run) {}

    private static final String JSON = "{\"schema\":1,\"host\":\"a.b\",\"created_at\":\"2026-07-01T09:30:00.250Z\","
            + "\"argv\":[\"x\"],\"last_words\":null,\"role\":\"cmd\",\"truncated\":false}";

    private static final Sample SAMPLE = new Sample(
            1, Host.of("a.b"), Instant.parse("2026-07-01T09:30:00.250Z"), List.of("x"), null, Role.CMD, false);

    @Test
    void membersAreSnakeCaseInTheOrderOfDeclaration() {
        assertThat(new String(CarlosJson.write(SAMPLE), StandardCharsets.UTF_8)).isEqualTo(JSON);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        assertThat(read(JSON)).isEqualTo(SAMPLE);
    }

    @Test
    void namesAreTexts() {
        Names names = new Names(
                Account.of("acme"),
                App.of("shop"),
                Incarnation.of("0".repeat(64)),
                InputFileName.of("é.csv"),
                InstanceId.PROBE,
                InvocationId.of("0".repeat(32)),
                RunId.of("run_" + "a".repeat(26)));
        byte[] json = CarlosJson.write(names);
        assertThat(new String(json, StandardCharsets.UTF_8))
                .startsWith("{\"account\":\"acme\",\"app\":\"shop\",\"incarnation\":\"000")
                .contains("\"file\":\"é.csv\",\"instance\":\"_probe\",\"invocation\":\"000")
                .endsWith("\"run\":\"run_" + "a".repeat(26) + "\"}");
        assertThat(CarlosJson.read("names", json, Names.class)).isEqualTo(names);
    }

    @Test
    void anInstantKeepsItsNanoseconds() {
        Instant instant = Instant.parse("2026-07-01T09:30:00.123456789Z");
        byte[] json = CarlosJson.write(instant);
        assertThat(new String(json, StandardCharsets.UTF_8)).isEqualTo("\"2026-07-01T09:30:00.123456789Z\"");
        assertThat(CarlosJson.read("instant", json, Instant.class)).isEqualTo(instant);
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(read("{\"more\":{\"a\":[1]}," + JSON.substring(1))).isEqualTo(SAMPLE);
    }

    @Test
    void aNullableMemberMayBeMissing() {
        assertThat(read(JSON.replace("\"last_words\":null,", ""))).isEqualTo(SAMPLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"host\":\"a.b\",",
                "\"argv\":[\"x\"],",
                "\"role\":\"cmd\",",
                "\"created_at\":\"2026-07-01T09:30:00.250Z\","
            })
    void anyOtherMemberMustBeThere(String member) {
        String name = member.substring(1, member.indexOf('"', 1));
        assertThatThrownBy(() -> read(JSON.replace(member, "")))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("sample: ")
                .hasMessageContaining(name);
    }

    @Test
    void aMissingPrimitiveIsRefusedToo() {
        assertThatThrownBy(() -> read(JSON.replace(",\"truncated\":false", ""))).hasMessageContaining("truncated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"a.b\" null",
                "[\"x\"] null",
                "[\"x\"] [null]",
                "\"cmd\" null",
                "false null",
                "1, null,",
                "\"a.b\" \"Bad_Host\"",
                "\"a.b\" \"\"",
                "\"a.b\" 1",
                "\"a.b\" {}",
                "\"cmd\" \"CMD\"",
                "\"cmd\" \"exec\"",
                "\"cmd\" \"\"",
                "\"cmd\" 3",
                "\"2026-07-01T09:30:00.250Z\" 1782898200",
                "\"2026-07-01T09:30:00.250Z\" \"1782898200\"",
                "\"2026-07-01T09:30:00.250Z\" \"2026-07-01\"",
                "\"2026-07-01T09:30:00.250Z\" \"\"",
                "false \"false\"",
                "false 0",
                "[\"x\"] \"x\"",
                "[\"x\"] [1]",
                "[\"x\"] [true]"
            })
    void aValueOfAnotherKindIsRefused(String change) {
        String[] fromAndTo = change.split(" ", 2);
        String changed = JSON.replace(fromAndTo[0], fromAndTo[1]);
        assertThat(changed).isNotEqualTo(JSON);
        assertThatThrownBy(() -> read(changed))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("sample: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.5", "\"1\"", "true", "null", "[1]", "1e400", "99999999999999999999"})
    void aSchemaThatIsNoWholeNumberIsRefused(String schema) {
        assertThatThrownBy(() -> read(JSON.replace("\"schema\":1", "\"schema\":" + schema)))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("sample: ");
    }

    @Test
    void anUnknownSchemaIsRefusedWithBothNumbersWhateverElseTheDocumentHolds() {
        assertThatThrownBy(() -> read("{\"host\":{\"name\":\"a\"},\"schema\":2}"))
                .isInstanceOfSatisfying(UnsupportedSchemaException.class, e -> {
                    assertThat(e.found()).isEqualTo(2);
                    assertThat(e.supported()).isEqualTo(1);
                })
                .hasMessage("sample: its schema is 2, and this version reads schema 1 only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "1", "null", "", " ", "\"schema\""})
    void aDocumentWithoutSchemaIsRefused(String json) {
        assertThatThrownBy(() -> read(json)).hasMessageContaining("expected a member schema with the number 1");
    }

    @Test
    void aMemberGivenTwiceIsRefused() {
        assertThatThrownBy(() -> read("{\"schema\":1," + JSON.substring(1))).hasMessageContaining("schema");
        assertThatThrownBy(() -> read("{\"more\":{\"a\":1,\"a\":1}," + JSON.substring(1)))
                .hasMessageContaining("Duplicate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "x", "]", "\0"})
    void textAfterTheDocumentIsRefused(String rest) {
        assertThatThrownBy(() -> read(JSON + rest)).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void deepNestingIsRefused() {
        String deep = "[".repeat(33) + "]".repeat(33);
        assertThatThrownBy(() -> read("{\"more\":" + deep + "," + JSON.substring(1)))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("nesting");
    }

    @Test
    void aDocumentOverTheLimitIsRefused() {
        byte[] bytes = (JSON + " ".repeat(CarlosJson.MAX_DOCUMENT_BYTES)).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> CarlosJson.read("sample", bytes, Sample.class, 1))
                .hasMessageContaining("over the 4194304");
    }

    @Test
    void malformedAndOtherEncodingsAreRefused() {
        byte[] latin1 = JSON.replace("x", "é").getBytes(StandardCharsets.ISO_8859_1);
        byte[] utf16 = JSON.getBytes(StandardCharsets.UTF_16);
        assertThatThrownBy(() -> CarlosJson.read("sample", latin1, Sample.class, 1))
                .hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> CarlosJson.read("sample", utf16, Sample.class, 1))
                .hasMessageContaining("UTF-8");
    }

    @Test
    void theMessageNamesTheMemberAndTheRule() {
        assertThatThrownBy(() -> read(JSON.replace("a.b", "Bad_Host")))
                .hasMessageContaining("host")
                .hasMessageContaining("lower-case letters");
    }

    private static Sample read(String json) {
        return CarlosJson.read("sample", json.getBytes(StandardCharsets.UTF_8), Sample.class, 1);
    }
}
