package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.testing.Seeded;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostTest {
    private static final Pattern RULE = Pattern.compile(
            "(?=.{1,253}\\z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "bill.go.tito.io", "bill-2.example.com", "1.2", "xn--bcher-kva.example"})
    void aFullyQualifiedNameIsAHost(String text) {
        assertThat(Host.of(text).value()).isEqualTo(text);
        assertThat(Host.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bad_Host",
                "not a host",
                "_probe",
                "a",
                "A.example.com",
                "a..b",
                "-a.example.com",
                "a.example.com.",
                "",
                ".",
                ".a.b",
                "a-.b",
                "a.-b",
                "a.b-",
                "a_b.c",
                "é.example.com",
                "a.b\n",
                "a.b\0",
                "a.b/c",
                "../a.b",
                "٣.example.com"
            })
    void whatIsNoFullyQualifiedNameIsRefused(String text) {
        assertThatThrownBy(() -> Host.of(text))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageStartingWith("not a host");
    }

    @Test
    void aLabelHasAtMost63Characters() {
        assertThat(Host.of("a".repeat(63) + ".b").value()).hasSize(65);
        assertThatThrownBy(() -> Host.of("a".repeat(64) + ".b")).hasMessageContaining("over 63 characters");
    }

    @Test
    void aHostHasAtMost253Characters() {
        String labels = ("a".repeat(63) + ".").repeat(3);
        assertThat(Host.of(labels + "a".repeat(61)).value()).hasSize(253);
        assertThatThrownBy(() -> Host.of(labels + "a".repeat(62))).hasMessageContaining("over 253 characters");
    }

    @Test
    void hostsAreOrderedAsTheirText() {
        assertThat(Host.of("a.b")).isLessThan(Host.of("a.c")).isEqualByComparingTo(Host.of("a.b"));
    }

    @Test
    void aGeneratedHostMatchesTheRuleAsAPattern() {
        Seeded.check(
                500,
                random -> assertThat(RULE.matcher(Names.host(random).value()).matches())
                        .isTrue());
    }

    @Test
    void anyTextIsAHostExactlyWhenThePatternMatches() {
        Seeded.check(5_000, random -> {
            StringBuilder text = new StringBuilder(Names.host(random).value());
            text.setLength(Math.min(text.length(), 1 + random.nextInt(12)));
            text.setCharAt(random.nextInt(text.length()), "ab0-._A é".charAt(random.nextInt(9)));
            assertThat(isHost(text.toString()))
                    .as("%s", text)
                    .isEqualTo(RULE.matcher(text).matches());
        });
    }

    private static boolean isHost(String text) {
        try {
            return Host.of(text).value().equals(text);
        } catch (InvalidNameException e) {
            return false;
        }
    }
}
