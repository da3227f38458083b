package io.carlos.control.ready;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.control.testing.Await;
import io.carlos.control.unit.RecordingUnitManager;
import io.carlos.control.unit.SystemdException;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.testing.Mutations;
import io.carlos.model.testing.Seeded;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReadinessTest {
    private static final String START = "start carlos-instance-probe.service";
    private static final ProbeReport READY = new ProbeReport(List.of(
            new ProbeLine("pid1", ProbeLine.Verdict.OK, "alone"),
            new ProbeLine("imds-v6", ProbeLine.Verdict.UNVERIFIED, "no route")));

    private static final Readiness.Times OFTEN =
            new Readiness.Times(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(5));

    private final RecordingUnitManager systemd = new RecordingUnitManager();
    private Path secret;
    private Path output;
    private Probe probe;

    @BeforeEach
    void prepare(@TempDir Path directory) throws IOException {
        secret = Files.writeString(directory.resolve("probe-secret"), "probe");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        PosixFileAttributes own = Files.readAttributes(secret, PosixFileAttributes.class);
        output = directory.resolve("probe.out");
        probe = new Probe(
                systemd,
                secret,
                output,
                new Probe.SecretOwner(own.owner().getName(), own.group().getName()));
    }

    private void probeWrites(String content) {
        systemd.when(START, () -> {
            try {
                Files.writeString(output, content);
            } catch (IOException e) {
                throw new SystemdException("test", e);
            }
        });
    }

    private static void assertNotReady(ProbeReport report, String why) {
        assertThat(report.ready()).isFalse();
        assertThat(report.lines()).hasSize(1);
        assertThat(report.lines().get(0).detail()).contains(why);
    }

    @Test
    void aReadyReportIsReady() throws Exception {
        probeWrites(READY.toJson());

        assertThat(probe.run()).isEqualTo(READY);
        assertThat(systemd.calls()).containsExactly(START);
    }

    @Test
    void aReportWithAFailureIsKeptAsItIs() throws Exception {
        ProbeReport failed = new ProbeReport(List.of(
                new ProbeLine("pid1", ProbeLine.Verdict.OK, "alone"),
                new ProbeLine("imds-v4", ProbeLine.Verdict.FAIL, "sent")));
        probeWrites(failed.toJson());

        assertThat(probe.run()).isEqualTo(failed);
    }

    @Test
    void theReportOfAnEarlierRunIsNotTakenForThisOnes() throws Exception {
        Files.writeString(output, READY.toJson());

        assertNotReady(probe.run(), "probe report");
    }

    @Test
    void aRefusedStartIsNotReadyWithSystemdsWords() throws Exception {
        Files.writeString(output, READY.toJson());
        systemd.refuse(START, "Unit not found");

        assertNotReady(probe.run(), "Unit not found");
    }

    @Test
    void aMalformedAnEmptyAndAnEndlessReportAreNotReady() throws Exception {
        for (String content : List.of("", "{}", "{\"ready\":true,\"lines\":[]}", "ready", "x".repeat(300_000))) {
            probeWrites(content);
            ProbeReport report = probe.run();
            assertThat(report.ready()).isFalse();
            assertThat(report.lines()).hasSize(1);
        }
    }

    @Test
    void aReportThatIsALinkIsNotFollowed() throws Exception {
        Path elsewhere = Files.writeString(output.resolveSibling("elsewhere"), READY.toJson());
        systemd.when(START, () -> {
            try {
                Files.createSymbolicLink(output, elsewhere);
            } catch (IOException e) {
                throw new SystemdException("test", e);
            }
        });

        assertNotReady(probe.run(), "probe.out");
    }

    @Test
    void aMissingSecretIsNotReadyAndNothingIsStarted() throws Exception {
        Files.delete(secret);

        assertNotReady(probe.run(), "probe-secret: it is missing");
        assertThat(systemd.calls()).isEmpty();
    }

    @Test
    void aSecretThatEverybodyMayReadProvesNothing() throws Exception {
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));

        assertNotReady(probe.run(), "expected a file of");
        assertThat(systemd.calls()).isEmpty();
    }

    @Test
    void aSecretOfSomebodyElseProvesNothing() throws Exception {
        Probe other = new Probe(systemd, secret, output, new Probe.SecretOwner("root", "carlos"));

        assertNotReady(other.run(), "expected a file of root:carlos");
    }

    @Test
    void changedReportsAreReadyOnlyWhenTheyReadAsReady() {
        Seeded.check(500, random -> {
            byte[] bytes = Mutations.mutate(random, READY.toJson());
            systemd.when(START, () -> {
                try {
                    Files.write(output, bytes);
                } catch (IOException e) {
                    throw new SystemdException("test", e);
                }
            });

            ProbeReport report = probe.run();

            assertThat(report.lines()).isNotEmpty();
            assertThat(report.ready())
                    .isEqualTo(report.lines().stream().noneMatch(line -> line.verdict() == ProbeLine.Verdict.FAIL));
        });
    }

    @Test
    void aBoxIsNotReadyBeforeTheFirstReport() {
        Readiness readiness = new Readiness(() -> READY, OFTEN, report -> {});

        assertNotReady(readiness.latest(), "has not been run yet");
    }

    @Test
    void theProbeIsRunAgainAndTheLastReportKept() throws Exception {
        List<ProbeReport> reports = new CopyOnWriteArrayList<>();
        ProbeReport bad = ProbeReport.notReady("planned");
        try (Readiness readiness = new Readiness(() -> reports.isEmpty() ? READY : bad, OFTEN, reports::add)) {
            readiness.start();
            Await.until("two reports", () -> reports.size() > 1);
            assertThat(readiness.latest()).isEqualTo(bad);
        }
        assertThat(reports).startsWith(READY, bad);
    }

    @Test
    void neitherADefectNorAnErrorEndsTheLoop() throws Exception {
        for (Throwable planned : List.of(new IllegalStateException("planned"), new StackOverflowError("planned"))) {
            AtomicInteger runs = new AtomicInteger();
            Readiness.Runner broken = () -> {
                if (runs.incrementAndGet() == 2) {
                    throw ReadinessTest.<RuntimeException>sneaky(planned);
                }
                return READY;
            };
            CountDownLatch after = new CountDownLatch(2);
            try (Readiness readiness = new Readiness(broken, OFTEN, report -> after.countDown())) {
                readiness.start();
                after.await();
            }
            assertThat(runs).hasValueGreaterThan(2);
        }
    }

    /** Throws any of them as the one that the compiler lets through. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void aDefectIsNotReady() throws Exception {
        Readiness.Runner broken = () -> {
            throw new StackOverflowError("planned");
        };
        try (Readiness readiness = new Readiness(broken, Readiness.Times.every(Duration.ofMinutes(5)), any -> {})) {
            readiness.start();
            Await.until(
                    "a report",
                    () -> !readiness.latest().lines().get(0).detail().contains("not been run yet"));
            assertNotReady(readiness.latest(), "planned");
        }
    }

    @Test
    void aListenerThatFailsIsNotReady() throws Exception {
        CountDownLatch told = new CountDownLatch(2);
        try (Readiness readiness = new Readiness(() -> READY, OFTEN, report -> {
            told.countDown();
            throw new IllegalStateException("planned");
        })) {
            readiness.start();
            told.await();
            Await.until("not ready", () -> !readiness.latest().ready());
        }
    }

    @Test
    void aReportThatIsTooOldIsNone() throws Exception {
        AtomicLong now = new AtomicLong();
        Duration interval = Duration.ofMinutes(5);
        Duration slack = Duration.ofMinutes(1);
        CountDownLatch told = new CountDownLatch(1);
        try (Readiness readiness = new Readiness(
                () -> READY, new Readiness.Times(interval, interval, slack), report -> told.countDown(), now::get)) {
            readiness.start();
            told.await();

            now.set(interval.plus(slack).toNanos());
            assertThat(readiness.latest()).isEqualTo(READY);
            now.incrementAndGet();
            assertNotReady(readiness.latest(), "360 s old");
        }
    }

    @Test
    void aBoxThatIsNotReadyIsProbedAgainInSeconds() {
        Readiness.Times times = Readiness.Times.every(Duration.ofMinutes(5));

        assertThat(times.retry()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        assertThat(Readiness.Times.every(Duration.ofSeconds(1)).retry()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void afterAReportThatIsNotReadyTheRetryIsWaitedForAndNotTheInterval() throws Exception {
        ProbeReport bad = ProbeReport.notReady("planned");
        CountDownLatch told = new CountDownLatch(3);
        Readiness.Times times = new Readiness.Times(Duration.ofHours(1), Duration.ofMillis(1), Duration.ofHours(1));
        try (Readiness readiness = new Readiness(() -> bad, times, report -> told.countDown())) {
            readiness.start();
            told.await();
        }
    }

    @Test
    void theReportOfARunThatBeganBeforeIsNotLost() throws Exception {
        // systemd has opened the file for a probe that was started by somebody else, and the start joins that run.
        try (SeekableByteChannel opened = Files.newByteChannel(
                output, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            systemd.when(START, () -> {
                try {
                    opened.write(ByteBuffer.wrap(READY.toJson().getBytes(StandardCharsets.UTF_8)));
                } catch (IOException e) {
                    throw new SystemdException("test", e);
                }
            });

            assertThat(probe.run()).isEqualTo(READY);
        }
    }

    @Test
    void aRunThatHadWrittenItsReportBeforeItWasJoinedIsRunAgain() throws Exception {
        systemd.when(START, () -> probeWrites(READY.toJson()));
        Files.writeString(output, "");

        assertThat(probe.run()).isEqualTo(READY);
        assertThat(systemd.calls()).containsExactly(START, START);
    }
}
