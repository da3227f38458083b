package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.carlos.store.directory.DirectoryObjectStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorePreflightTest {
    private final InMemoryObjectStore store = new InMemoryObjectStore();

    @Test
    void aRightStoreIsAcceptedWithALineForEachCheck() {
        PreflightReport report = new StorePreflight(store, new FixedProbe()).run();
        assertThat(report.lines()).extracting(PreflightReport.Line::check).containsExactly(PreflightCheck.values());
        assertThat(report.lines()).extracting(PreflightReport.Line::verdict).containsOnly(PreflightVerdict.PASSED);
        assertThat(report.isAccepted()).isTrue();
        assertThat(report.objection()).isEmpty();
    }

    @Test
    void aDirectoryIsAcceptedAndWhatConcernsServersIsSkipped(@TempDir Path root) {
        try (DirectoryObjectStore directory = DirectoryObjectStore.open(root)) {
            PreflightReport report = new StorePreflight(directory).run();
            assertThat(report.isAccepted()).as("%s", report).isTrue();
            assertThat(report.lines())
                    .filteredOn(line -> line.verdict() == PreflightVerdict.SKIPPED)
                    .extracting(PreflightReport.Line::check)
                    .containsExactly(PreflightCheck.WRONG_SECRET_REFUSED, PreflightCheck.CLOCKS_AGREE);
            assertThat(directory.list("", "", 10)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenStoreIsRefusedByTheLineThatNamesItsFault(BrokenObjectStore.Defect defect) {
        PreflightReport report = new StorePreflight(new BrokenObjectStore(store, defect), new FixedProbe()).run();
        assertThat(report.isAccepted()).isFalse();
        assertThat(report.objection().orElseThrow().check()).as("%s", report).isEqualTo(defect.finder());
        assertThat(report.objection().orElseThrow().detail()).isNotEmpty();
        assertThat(store.list("", "", 10)).as("left behind").isEmpty();
    }

    @Test
    void nothingElseInTheStoreIsTouched() {
        ObjectKey mine = ObjectKey.of("preflight/mine");
        String etag = store.put(mine, "mine".getBytes(StandardCharsets.US_ASCII), Precondition.NONE);
        new StorePreflight(store).run();
        assertThat(store.list("", "", 10))
                .extracting(ListedObject::key, ListedObject::etag)
                .containsExactly(tuple(mine, etag));
    }

    @Test
    void anotherEtagInTheHeadIsRefused() {
        FixedProbe probe = new FixedProbe() {
            @Override
            public Optional<String> headEtag(ObjectKey key) {
                return Optional.of("other");
            }
        };
        assertRefused(new StorePreflight(store, probe).run(), PreflightCheck.ETAGS_AGREE, "head=other");
    }

    @Test
    void aStoreThatServesAWrongSecretIsRefused() {
        FixedProbe probe = new FixedProbe() {
            @Override
            public ObjectStore withWrongSecret() {
                return store;
            }
        };
        assertRefused(new StorePreflight(store, probe).run(), PreflightCheck.WRONG_SECRET_REFUSED, "read was served");
    }

    @ParameterizedTest
    @ValueSource(ints = {-20, -6, 6, 20})
    void aClockThatIsSomewhatOffIsAWarning(int seconds) {
        PreflightReport report = new StorePreflight(store, probeOfClock(seconds)).run();
        assertThat(report.line(PreflightCheck.CLOCKS_AGREE).verdict()).isEqualTo(PreflightVerdict.WARNED);
        assertThat(report.isAccepted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"-21,behind", "21,ahead", "86400,ahead"})
    void aClockThatIsFarOffIsRefused(int seconds, String direction) {
        assertRefused(new StorePreflight(store, probeOfClock(seconds)).run(), PreflightCheck.CLOCKS_AGREE, direction);
    }

    @Test
    void aStoreThatIsNotReachedIsNotAcceptedAndNotCalledBroken() {
        FaultyObjectStore away = new FaultyObjectStore(store);
        away.failAtRandom(1, 1, FaultyObjectStore.Fault.UNAVAILABLE);
        PreflightReport report = new StorePreflight(away).run();
        assertThat(report.isAccepted()).isFalse();
        assertThat(report.lines())
                .extracting(PreflightReport.Line::verdict)
                .doesNotContain(PreflightVerdict.REFUSED, PreflightVerdict.PASSED);
        assertThat(report.objection().orElseThrow().detail()).contains("not reached");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lostAnswersNeverMakeARightStoreLookBroken(long seed) {
        FaultyObjectStore lossy = new FaultyObjectStore(store);
        lossy.failAtRandom(seed, 0.2, FaultyObjectStore.Fault.AMBIGUOUS_DONE, FaultyObjectStore.Fault.UNAVAILABLE);
        PreflightReport report = new StorePreflight(lossy).run();
        assertThat(report.lines())
                .as("seed %d: %s", seed, report)
                .extracting(PreflightReport.Line::verdict)
                .doesNotContain(PreflightVerdict.REFUSED);
    }

    @Test
    void aLineOfTheReportIsVerdictTitleAndDetail() {
        PreflightReport.Line line = new PreflightReport.Line(
                PreflightCheck.LISTED_AT_ONCE, PreflightVerdict.REFUSED, "after 1 puts 0 keys are listed");
        assertThat(line).hasToString("REFUSED: a key is listed right after its put: after 1 puts 0 keys are listed");
    }

    private static void assertRefused(PreflightReport report, PreflightCheck check, String detail) {
        assertThat(report.isAccepted()).isFalse();
        assertThat(report.objection().orElseThrow().check()).as("%s", report).isEqualTo(check);
        assertThat(report.objection().orElseThrow().detail()).contains(detail);
    }

    private FixedProbe probeOfClock(int seconds) {
        return new FixedProbe() {
            @Override
            public Duration clockLead() {
                return Duration.ofSeconds(seconds);
            }
        };
    }

    /** A server without a fault. */
    private class FixedProbe implements StoreProbe {
        @Override
        public Optional<String> headEtag(ObjectKey key) {
            return store.get(key).map(StoredObject::etag);
        }

        @Override
        public Duration clockLead() {
            return Duration.ZERO;
        }

        @Override
        public ObjectStore withWrongSecret() {
            FaultyObjectStore refusing = new FaultyObjectStore(store);
            refusing.failAtRandom(1, 1, FaultyObjectStore.Fault.UNAVAILABLE);
            return refusing;
        }
    }
}
