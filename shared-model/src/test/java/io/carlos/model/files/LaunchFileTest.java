package io.carlos.model.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.UnsupportedSchemaException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.testing.Mutations;
import io.carlos.model.testing.Seeded;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchFileTest {
    private static final String LIVE = "/opt/carlos/live";
    private static final Host HOST = Host.of("bill.example.com");
    private static final String JSON = "{\"schema\":1,\"host\":\"bill.example.com\","
            + "\"argv\":[\"/opt/carlos/live/bill.example.com\",\"serve\"],\"env\":[\"HOME=/data\",\"EMPTY=\",\"A=b=c\"]}";
    private static final LaunchFile LAUNCH = new LaunchFile(
            HOST, List.of(LIVE + "/bill.example.com", "serve"), List.of("HOME=/data", "EMPTY=", "A=b=c"));

    @ParameterizedTest
    @CsvSource({"RUN, launch.run.json", "SEED, launch.seed.json", "SIDECAR, launch.sidecar.json", "CMD, launch.cmd.json"
    })
    void aRoleHasItsFile(Role role, String name) {
        assertThat(LaunchFile.fileName(role)).isEqualTo(name);
    }

    @Test
    void aFileIsReadAndWritten() {
        assertThat(read(JSON)).isEqualTo(LAUNCH);
        assertThat(new String(LAUNCH.toBytes(), StandardCharsets.UTF_8)).isEqualTo(JSON);
    }

    @Test
    void membersComeInAnyOrderAndUnknownOnesAreIgnored() {
        assertThat(read("{\"env\":[\"A=1\"],\"argv\":[\"x\"],\"more\":{\"argv\":[1]},\"host\":\"a.b\",\"schema\":1}"))
                .isEqualTo(new LaunchFile(Host.of("a.b"), List.of("x"), List.of("A=1")));
    }

    @Test
    void anEmptyEnvironmentIsOne() {
        assertThat(new String(new LaunchFile(HOST, List.of("x"), List.of()).toBytes(), StandardCharsets.UTF_8))
                .endsWith("\"env\":[]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"schema\":2,\"host\":{},\"argv\":1}",
                "{\"host\":\"Bad_Host\",\"argv\":{\"program\":\"x\"},\"schema\":2}"
            })
    void anUnknownSchemaIsRefusedWithBothNumbersWhateverElseTheFileHolds(String json) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(UnsupportedSchemaException.class)
                .hasMessage("launch file: its schema is 2, and this version reads schema 1 only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"schema", "host", "argv", "env"})
    void aMissingMemberIsRefused(String member) {
        assertThatThrownBy(() -> read(JSON.replace("\"" + member + "\"", "\"other\"")))
                .hasMessage("launch file: the member " + member + " is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "1.0", "true", "null", "4294967297"})
    void aSchemaOfAnotherKindIsRefused(String schema) {
        assertThatThrownBy(() -> read(JSON.replace(":1,", ":" + schema + ",")))
                .isInstanceOf(InvalidDocumentException.class)
                .isNotInstanceOf(UnsupportedSchemaException.class);
    }

    @Test
    void aMemberGivenTwiceIsRefused() {
        assertThatThrownBy(() -> read("{\"schema\":1," + JSON.substring(1)))
                .hasMessageContaining("\"schema\" is given twice");
        assertThatThrownBy(() -> read("{\"argv\":[\"x\"]," + JSON.substring(1)))
                .hasMessageContaining("\"argv\" is given twice");
        assertThatThrownBy(() -> read("{\"more\":[{\"a\":1,\"a\":1}]," + JSON.substring(1)))
                .hasMessageContaining("\"a\" is given twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "{}", ",", "]", "\0"})
    void textAfterTheEndIsRefused(String rest) {
        assertThatThrownBy(() -> read(JSON + rest)).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void nestingOver16LevelsIsRefused() {
        String fits = "[".repeat(15) + "]".repeat(15);
        assertThat(read("{\"more\":" + fits + "," + JSON.substring(1))).isEqualTo(LAUNCH);
        assertThatThrownBy(() -> read("{\"more\":[" + fits + "]," + JSON.substring(1)))
                .hasMessageContaining("deeper than 16");
    }

    @Test
    void aFileOver256KiBIsRefused() {
        String fits = JSON + " ".repeat(256 * 1024 - JSON.length());
        assertThat(read(fits)).isEqualTo(LAUNCH);
        assertThatThrownBy(() -> read(fits + " "))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessage("launch file: it has 262145 bytes, over the 262144 allowed");
    }

    @Test
    void aFileThatNobodyCouldReadIsNotWritten() {
        LaunchFile big = new LaunchFile(HOST, List.of("x".repeat(256 * 1024)), List.of());
        LaunchFile fits = new LaunchFile(HOST, List.of("x".repeat(256 * 1024 - emptyLength())), List.of());
        assertThat(fits.toBytes()).hasSize(256 * 1024);
        assertThatThrownBy(big::toBytes)
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("over the 262144");
    }

    @Test
    void aMalformedByteIsRefused() {
        byte[] latin1 = JSON.replace("serve", "sérve").getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> LaunchFile.read(latin1)).hasMessage("launch file: it is not well-formed UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "HOME=/data", "bill.example.com\""})
    void aNulIsRefusedWhereverItIs(String text) {
        assertThatThrownBy(() -> read(JSON.replace(text, "\\u0000" + text)))
                .isInstanceOf(InvalidDocumentException.class);
        assertThatThrownBy(() -> read(JSON.replace(text, "\0" + text))).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void aNulIsNotWrittenEither() {
        assertThatThrownBy(() -> new LaunchFile(HOST, List.of("\0a"), List.of()))
                .hasMessage("launch file: argv holds a NUL");
        assertThatThrownBy(() -> new LaunchFile(HOST, List.of("a"), List.of("A=\0")))
                .hasMessage("launch file: env holds a NUL");
    }

    @Test
    void halfASurrogatePairIsNotWritten() {
        assertThatThrownBy(() -> new LaunchFile(HOST, List.of("\ud800"), List.of()))
                .hasMessageContaining("surrogate");
    }

    @Test
    void anEmptyCommandIsRefused() {
        assertThatThrownBy(() -> read(JSON.replaceAll("\"argv\":\\[[^]]*]", "\"argv\":[]")))
                .hasMessageContaining("argv is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HOME", "", "=value", "="})
    void anEnvironmentEntryWithoutKeyIsRefused(String entry) {
        assertThatThrownBy(() -> read(JSON.replace("HOME=/data", entry)))
                .hasMessage("launch file: an env entry is not KEY=value with a key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EMPTY=", "EMPTY=x", "A=1"})
    void aKeyGivenTwiceIsRefused(String entry) {
        assertThatThrownBy(() -> read(JSON.replace("HOME=/data", entry))).hasMessageContaining(" twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bad_Host", "_probe", "", "bill.example.com."})
    void aHostThatIsNoneIsRefused(String host) {
        assertThatThrownBy(() -> read(JSON.replace("\"host\":\"bill.example.com\"", "\"host\":\"" + host + "\"")))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("launch file: host: not a host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "{}", "null", "[1]", "[null]", "[[\"x\"]]", "true"})
    void argumentsThatAreNoTextsAreRefused(String argv) {
        assertThatThrownBy(() -> read("{\"schema\":1,\"host\":\"a.b\",\"env\":[],\"argv\":" + argv + "}"))
                .isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void theHostsOwnProgramIsAllowed() {
        LAUNCH.checkProgram(LIVE, InstanceId.of(HOST));
        LAUNCH.checkProgram("/opt/carlos/live", InstanceId.of("bill.example.com"));
    }

    @Test
    void aLongHostIsComparedByItsIdentifier() {
        Host host = Host.of("a".repeat(60) + ".example.com");
        new LaunchFile(host, List.of(LIVE + "/" + host), List.of()).checkProgram(LIVE, InstanceId.of(host));
    }

    @Test
    void theFileOfAnotherInstanceIsRefused() {
        assertThatThrownBy(() -> LAUNCH.checkProgram(LIVE, InstanceId.of("bob.example.com")))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("bill.example.com")
                .hasMessageContaining("bob.example.com");
        assertThatThrownBy(() -> LAUNCH.checkProgram(LIVE, InstanceId.PROBE)).hasMessageContaining("_probe");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bill.example.com",
                "/opt/carlos/live",
                "/opt/carlos/live/",
                "/opt/carlos/live/bob.example.com",
                "/opt/carlos/live/bill.example.com/",
                "/opt/carlos/live//bill.example.com",
                "/opt/carlos/live/./bill.example.com",
                "/opt/carlos/live/x/../bill.example.com",
                "/opt/carlos/live/x/bill.example.com",
                "/opt/carlos/live/../../../bin/sh",
                "//opt/carlos/live/bill.example.com",
                "opt/carlos/live/bill.example.com",
                "./opt/carlos/live/bill.example.com",
                "/opt/carlos/live2/bill.example.com",
                "/data/instances/bill.example.com/bill.example.com",
                "/bin/sh"
            })
    void anyOtherProgramIsRefused(String program) {
        LaunchFile launch = new LaunchFile(HOST, List.of(program), List.of());
        assertThatThrownBy(() -> launch.checkProgram(LIVE, InstanceId.of(HOST)))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessage(
                        "launch file: argv[0] is \"" + program + "\", expected \"/opt/carlos/live/bill.example.com\"");
    }

    @Test
    void itsDescriptionNamesNoArgumentAndNoVariable() {
        assertThat(LAUNCH).hasToString("LaunchFile[host=bill.example.com, 2 arguments, 3 variables]");
    }

    @Test
    void anyLaunchFileIsWrittenAndReadBack() {
        Seeded.check(2_000, random -> {
            String text = random.ints(random.nextInt(12), 1, 0xd800)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            LaunchFile launch = new LaunchFile(HOST, List.of(text, "😀\"\\"), List.of("A=" + text, "B\n=" + text));
            assertThat(LaunchFile.read(launch.toBytes())).isEqualTo(launch);
        });
    }

    @Test
    void aBrokenFileIsRefusedOrKeepsEveryRule() {
        int[] taken = {0};
        Seeded.check(50_000, random -> {
            byte[] file = Mutations.mutate(random, JSON);
            try {
                assertEveryRule(LaunchFile.read(file));
                taken[0]++;
            } catch (InvalidDocumentException e) {
                assertThat(e).hasMessageStartingWith("launch file: ");
            }
        });
        assertThat(taken[0]).as("files that were taken").isBetween(5_000, 45_000);
    }

    private static void assertEveryRule(LaunchFile launch) {
        assertThat(launch.argv()).isNotEmpty().noneMatch(text -> text.indexOf('\0') >= 0);
        Set<String> keys = new HashSet<>();
        for (String entry : launch.env()) {
            assertThat(entry).doesNotContain("\0").contains("=").doesNotStartWith("=");
            assertThat(keys.add(entry.split("=", 2)[0]))
                    .as("first of its key: %s", entry)
                    .isTrue();
        }
        assertThat(LaunchFile.read(launch.toBytes())).isEqualTo(launch);
    }

    private static int emptyLength() {
        return new LaunchFile(HOST, List.of(""), List.of()).toBytes().length;
    }

    private static LaunchFile read(String json) {
        return LaunchFile.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
