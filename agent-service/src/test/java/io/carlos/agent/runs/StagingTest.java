package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.RootLane;
import io.carlos.model.names.InputFileName;
import io.carlos.model.runs.InputFile;
import io.carlos.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is put into a run's directory, and what becomes of it when something fails. */
class StagingTest extends StagingFixture {
    @Test
    void inputsAreStagedForTheirOwnerOnly() throws Exception {
        staging.stage(RUN, List.of(input("rows.csv", "1,2"), input("Übersicht 2.txt", "")));

        assertThat(Staging.directory(instance, RUN)).isEqualTo(run);
        assertThat(run.toFile().list()).containsExactlyInAnyOrder("rows.csv", "Übersicht 2.txt");
        assertThat(run.resolve("rows.csv")).hasContent("1,2");
        assertThat(run.resolve("Übersicht 2.txt")).isEmptyFile();
        assertThat(mode(runs)).isEqualTo("rwx------");
        assertThat(mode(run)).isEqualTo("rwx------");
        assertThat(mode(run.resolve("rows.csv"))).isEqualTo("rw-------");
    }

    @Test
    void runWithoutInputsHasADirectoryToo() throws Exception {
        staging.stage(RUN, List.of());

        assertThat(run).isEmptyDirectory();
    }

    @Test
    void inputOfMegabytesArrivesWhole() throws Exception {
        byte[] content = new byte[3 * 1024 * 1024 + 17];
        new Random(1).nextBytes(content);

        staging.stage(RUN, List.of(input("large", content)));

        assertThat(Files.readAllBytes(run.resolve("large"))).isEqualTo(content);
    }

    @Test
    void inputIsFetchedWhenThoseBeforeItAreWritten() throws Exception {
        StagedInput second = new StagedInput(described("second", bytes("2")), () -> {
            assertThat(run.resolve("first")).hasContent("1");
            return bytes("2");
        });

        staging.stage(RUN, List.of(input("first", "1"), second));

        assertThat(run.resolve("second")).hasContent("2");
    }

    @Test
    void runIsStagedBesideAnother() throws Exception {
        staging.stage(OTHER_RUN, List.of(input("a", "other")));

        staging.stage(RUN, List.of(input("a", "this")));

        assertThat(run.resolve("a")).hasContent("this");
        assertThat(runs.resolve(OTHER_RUN.value()).resolve("a")).hasContent("other");
    }

    @Test
    void directoryOfRunsThatIsOpenToOthersIsClosed() throws Exception {
        Files.createDirectory(runs);
        Files.setPosixFilePermissions(runs, PosixFilePermissions.fromString("rwxrwxrwx"));

        staging.stage(RUN, List.of());

        assertThat(mode(runs)).isEqualTo("rwx------");
    }

    @Test
    void twoInputsOfOneNameAreRefused() throws IOException {
        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> staging.stage(RUN, List.of(input("a", "1"), input("a", "2"))))
                .withMessageStartingWith("the input file a: ");
        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void inputOfAnotherSizeIsRefusedAndNothingIsLeft() throws IOException {
        InputFile described = new InputFile(
                InputFileName.of("a"), 4, described("a", bytes("123")).sha256());

        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> staging.stage(
                        RUN, List.of(input("good", "good"), new StagedInput(described, () -> bytes("123")))))
                .withMessage("the input file a: the request says 4 bytes, stored are 3");
        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void inputOfAnotherContentIsRefusedAndNothingIsLeft() throws IOException {
        InputFile described = described("a", bytes("123"));

        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> staging.stage(
                        RUN, List.of(input("good", "good"), new StagedInput(described, () -> bytes("124")))))
                .withMessageStartingWith("the input file a: the request says SHA-256 " + described.sha256());
        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void storeThatIsAwayLeavesNothingAndTheNextAttemptStages() throws Exception {
        StagedInput unreachable = new StagedInput(described("b", bytes("2")), () -> {
            throw new StoreUnavailableException("get: the store is away", null);
        });

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> staging.stage(RUN, List.of(input("a", "1"), unreachable)));
        assertThat(runs).isEmptyDirectory();
        staging.stage(RUN, List.of(input("a", "1"), input("b", "2")));
        assertThat(run.resolve("b")).hasContent("2");
    }

    @Test
    void fullDiskIsNoRefusalAndLeavesNothing() throws Exception {
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        try (RootLane.Mounted mounted = RootLane.smallDisk(64 * 1024, disk);
                Directory small = Directory.open(mounted.target())) {
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> new Staging(small).stage(RUN, List.of(input("a", new byte[128 * 1024]))))
                    .matches(e -> e.is(Errno.ENOSPC));
            assertThat(disk.resolve(".carlos-run")).isEmptyDirectory();
        }
    }
}
