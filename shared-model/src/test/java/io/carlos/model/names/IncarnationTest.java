package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IncarnationTest {
    private static final Account ACCOUNT = Account.of("acme");
    private static final App APP = App.of("shop");
    private static final Host HOST = Host.of("acme.example.com");
    private static final Instant CREATED = Instant.parse("2026-07-01T09:30:00.250Z");
    private static final Incarnation INCARNATION = Incarnation.of(ACCOUNT, APP, HOST, CREATED);

    /** The digest is sha256sum's, of what a shell's {@code printf} wrote from the documented layout. */
    @Test
    void theBytesThatAreHashedNeverChange() {
        assertThat(INCARNATION).hasToString("293b3b9cc91746808ccefbafa59de42203da7451dcdddcf947c4485ef651683f");
    }

    @Test
    void aHostCreatedAgainIsAnotherIncarnation() {
        assertThat(Incarnation.of(ACCOUNT, APP, HOST, CREATED.plusNanos(1))).isNotEqualTo(INCARNATION);
    }

    @Test
    void eachNameMakesAnotherIncarnation() {
        assertThat(Incarnation.of(Account.of("acm"), APP, HOST, CREATED)).isNotEqualTo(INCARNATION);
        assertThat(Incarnation.of(ACCOUNT, App.of("shops"), HOST, CREATED)).isNotEqualTo(INCARNATION);
        assertThat(Incarnation.of(ACCOUNT, APP, Host.of("acme.example.org"), CREATED))
                .isNotEqualTo(INCARNATION);
    }

    @Test
    void partsThatJoinToTheSameTextAreDifferentIncarnations() {
        assertThat(Incarnation.of(Account.of("ab"), App.of("c"), HOST, CREATED))
                .isNotEqualTo(Incarnation.of(Account.of("a"), App.of("bc"), HOST, CREATED));
    }

    @Test
    void theSameRecordReadAgainIsTheSameIncarnation() {
        assertThat(Incarnation.of(ACCOUNT, APP, HOST, Instant.parse(CREATED.toString())))
                .isEqualTo(INCARNATION);
        assertThat(Incarnation.of(INCARNATION.value())).isEqualTo(INCARNATION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"})
    void whatIsNoDigestIsRefused(String text) {
        assertThatThrownBy(() -> Incarnation.of(text))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("64 lower-case hex digits");
    }
}
