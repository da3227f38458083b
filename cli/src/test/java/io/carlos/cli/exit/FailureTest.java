package io.carlos.cli.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.StoreUnavailableException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void exitCodesAreThoseOfTheTable() {
        assertThat(Stream.of(CliExit.values()).map(exit -> exit + " " + exit.code()))
                .containsExactly(
                        "USAGE 64",
                        "UNAVAILABLE 69",
                        "INTERNAL 70",
                        "OUTPUT 74",
                        "NOT_PICKED_UP 75",
                        "REFUSED 76",
                        "INTERRUPTED 130",
                        "READER_GONE 141");
    }

    @Test
    void unreachableStoreIsUnavailable() {
        assertThat(Failure.of(new StoreUnavailableException("list runs/: connection refused", null)))
                .isEqualTo(new Failure(
                        CliExit.UNAVAILABLE,
                        Optional.of("the store is not available: list runs/: connection refused")));
    }

    @Test
    void lostAnswerIsNoDefectAndWarnsOfAskingAgain() {
        Failure failure = Failure.of(new AmbiguousWriteException("put records/a: time-out", null));

        assertThat(failure.exit()).isEqualTo(CliExit.UNAVAILABLE);
        assertThat(failure.sentence())
                .hasValueSatisfying(sentence ->
                        assertThat(sentence).contains("may have been done").contains("put records/a: time-out"));
    }

    @Test
    void interruptIsSilent() {
        assertThat(Failure.of(new InterruptedException()))
                .isEqualTo(new Failure(CliExit.INTERRUPTED, Optional.empty()));
    }

    @Test
    void exceptionWithoutAMessageStillMakesASentence() {
        assertThat(Failure.of(new NullPointerException()).sentence())
                .hasValueSatisfying(
                        sentence -> assertThat(sentence).contains("NullPointerException: without a message"));
    }
}
