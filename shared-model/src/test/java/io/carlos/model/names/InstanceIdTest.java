package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.testing.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceIdTest {
    @Test
    void aHostOf48CharactersIsItsOwnIdentifier() {
        Host host = Host.of("a".repeat(46) + ".b");
        assertThat(InstanceId.of(host).value()).isEqualTo(host.value());
    }

    @Test
    void aHostOf49CharactersIsShortened() {
        Host host = Host.of("a".repeat(47) + ".b");
        assertThat(InstanceId.of(host).value())
                .isEqualTo("_" + "a".repeat(30) + "-" + Sha256.hex(ascii(host)).substring(0, 16));
    }

    /** The digest here comes from sha256sum. */
    @Test
    void aLongHostHasAnIdentifierThatNeverChanges() {
        assertThat(InstanceId.of(Host.of("a-rather-long-name-for-an-instance.customers.example.com")))
                .hasToString("_a-rather-long-name-for-an-inst-d07fcf0d17a18399");
    }

    @Test
    void hyphensAndDotsThatEndTheCutAreRemoved() {
        Host hyphens = Host.of("abc" + "-".repeat(40) + "d.example.com");
        assertThat(InstanceId.of(hyphens).value()).startsWith("_abc-").hasSize(1 + 3 + 1 + 16);
        Host dot = Host.of("a".repeat(29) + "." + "b".repeat(30));
        assertThat(InstanceId.of(dot).value())
                .startsWith("_" + "a".repeat(29) + "-")
                .hasSize(1 + 29 + 1 + 16);
    }

    @Test
    void hostsThatShareTheCutHaveDifferentIdentifiers() {
        String cut = "a".repeat(50);
        assertThat(InstanceId.of(Host.of(cut + ".b"))).isNotEqualTo(InstanceId.of(Host.of(cut + ".c")));
    }

    @Test
    void theProbeHasAnIdentifierThatNoHostHas() {
        assertThat(InstanceId.PROBE).hasToString("_probe");
        assertThatThrownBy(() -> Host.of("_probe")).isInstanceOf(InvalidNameException.class);
    }

    @Test
    void theIdentifierOfAnyHostIsBoundedAndReadBack() {
        Seeded.check(2_000, random -> {
            Host host = Names.host(random);
            InstanceId id = InstanceId.of(host);
            assertThat(id.value()).matches("[a-z0-9._-]{3,48}").doesNotMatch(".*[.-]");
            assertThat(id.value().startsWith("_")).isEqualTo(host.value().length() > 48);
            assertThat(InstanceId.of(id.value())).isEqualTo(id);
            assertThat(SystemdEscape.unescape(id.escaped())).isEqualTo(id.value());
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "..",
                "a/b.c",
                "A.example.com",
                "_",
                "_probe2",
                "_Probe",
                "_a",
                "_-0123456789abcdef",
                "_.-0123456789abcdef",
                "_a--0123456789abcdef",
                "_a.-0123456789abcdef",
                "_../..-0123456789abcdef",
                "_a..b-0123456789abcdef",
                "_a-0123456789abcde",
                "_a-0123456789abcdeg",
                "_a-0123456789ABCDEF",
                "_a.0123456789abcdef",
                "_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-0123456789abcdef",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b",
                "a.b\0",
                "a.b\n"
            })
    void aTextThatNoHostHasAsItsIdentifierIsRefused(String text) {
        assertThatThrownBy(() -> InstanceId.of(text))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageStartingWith("not an instance identifier");
    }

    private static byte[] ascii(Host host) {
        return host.value().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }
}
