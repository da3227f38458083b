package io.carlos.control.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.verb.Deadline;
import io.carlos.model.control.ControlApi;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.linux.BootClock;
import io.carlos.model.names.Role;
import io.carlos.model.testing.Seeded;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
    private static final List<String> START = List.of(ControlApi.HOST, ControlApi.ROLE, ControlApi.MEMORY_MAX);
    private static final String VALID = "host=a.example.com&role=run&memory_max=536870912";

    private static Query parse(@Nullable String raw, List<String> parameters) throws BadRequestException {
        return Query.parse(raw, parameters, List.of());
    }

    private static Deadline deadline(String... values) throws BadRequestException {
        return Query.parse(null, List.of(), List.of(values)).deadline();
    }

    @Test
    void deadlineIsInTheTimeSinceTheKernelBooted() throws Exception {
        long now = BootClock.nanos();
        assertThat(deadline(Long.toString(now)).isOver()).isTrue();
        assertThat(deadline(Long.toString(now + Duration.ofDays(1).toNanos())).isOver())
                .isFalse();
    }

    @Test
    void requestWithoutADeadlineIsNeverTooLate() throws Exception {
        assertThat(deadline().isOver()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1.5", "0x10", "1 ", "9999999999999999999", "1,2", "\u0661"})
    void deadlineThatIsNoNumberIsRefused(String value) {
        assertThatThrownBy(() -> deadline(value))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining(ControlApi.DEADLINE);
    }

    @Test
    void deadlineThatIsGivenTwiceIsRefused() {
        assertThatThrownBy(() -> deadline("1", "1")).isInstanceOf(BadRequestException.class);
    }

    @Test
    void everyParameterIsRead() throws Exception {
        Query query = parse(VALID, START);

        assertThat(query.host().value()).isEqualTo("a.example.com");
        assertThat(query.role(Role.RUN, Role.SIDECAR)).isEqualTo(Role.RUN);
        assertThat(query.memory()).isEqualTo(MemoryTier.MIB_512);
    }

    @Test
    void percentEncodingIsDecoded() throws Exception {
        assertThat(parse("h%6fst=%61%2eexample%2Ecom", List.of("host")).host().value())
                .isEqualTo("a.example.com");
    }

    @Test
    void noParametersAreNone() throws Exception {
        parse(null, List.of());
        parse("", List.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    role=run&memory_max=536870912                              | "host": it is missing
                    host=a.b&role=run&memory_max=536870912&x=1                 | "x": it is unknown
                    host=a.b&host=a.b&role=run&memory_max=536870912            | "host": it is given twice
                    host=a.b&role=run&memory_max=536870912&                    | "": expected name=value
                    host=a.b&role&memory_max=536870912                         | "role": expected name=value
                    host=a%2&role=run&memory_max=536870912                     | two hex digits
                    host=a.b&role=run&memory_max=536870912&HOST=a.b            | "HOST": it is unknown
                    """)
    void whatIsWrongIsNamed(String raw, String named) {
        assertThatThrownBy(() -> parse(raw, START))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A.example.com", "a", "", "a..b", "-a.b", "a.b ", "a.b%0a", "../a.b", "a.b@c", "%c3%a4.b"})
    void whatIsNoHostIsRefused(String host) {
        assertThatThrownBy(() -> parse("host=" + host, List.of("host")).host())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"536870911", "0536870912", "512M", "", "1e9", "infinity", "536870912 "})
    void whatIsNoTierIsRefused(String tier) {
        assertThatThrownBy(
                        () -> parse("memory_max=" + tier, List.of("memory_max")).memory())
                .isInstanceOf(BadRequestException.class);
    }

    @Test
    void aRoleThatTheVerbDoesNotTakeIsRefused() {
        for (String role : List.of("seed", "cmd", "Run", "")) {
            assertThatThrownBy(() -> parse("role=" + role, List.of("role")).role(Role.RUN, Role.SIDECAR))
                    .as(role)
                    .isInstanceOf(BadRequestException.class);
        }
    }

    @Test
    void aWaitIsWholeSecondsUpToTheLongest() throws Exception {
        assertThat(parse("wait=0", List.of("wait")).waitTime()).isEqualTo(Duration.ZERO);
        assertThat(parse("wait=25", List.of("wait")).waitTime()).isEqualTo(ControlApi.MAX_WAIT);
        for (String wait : List.of("26", "-1", "", "1.5", "+1", "025", "x")) {
            assertThatThrownBy(() -> parse("wait=" + wait, List.of("wait")).waitTime())
                    .as(wait)
                    .isInstanceOf(BadRequestException.class);
        }
    }

    @Test
    void anyTextIsEitherRefusedOrYieldsCheckedNames() {
        String alphabet = "abhostrole=&%2e.Z09-_/\\\u0000é+*? ;,memory_max";
        Seeded.check(20_000, random -> {
            String raw = random.nextInt(4) == 0 ? anyText(random, alphabet) : changed(random, VALID, alphabet);
            try {
                Query query = parse(raw, START);
                assertThat(query.host().value()).matches("[a-z0-9.-]+");
                assertThat(query.role(Role.RUN, Role.SIDECAR)).isIn(Role.RUN, Role.SIDECAR);
                assertThat(query.memory()).isNotNull();
            } catch (BadRequestException e) {
                assertThat(e.getMessage()).startsWith("parameter \"").hasSizeLessThan(600);
                assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl);
            }
        });
    }

    private static String anyText(Random random, String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(60); length > 0; length--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static String changed(Random random, String valid, String alphabet) {
        StringBuilder text = new StringBuilder(valid);
        for (int changes = random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
                default -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
            }
        }
        return text.toString();
    }
}
