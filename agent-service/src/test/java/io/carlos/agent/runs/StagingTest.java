package io.carlos.agent.runs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.MountInTreeException;
import io.carlos.model.linux.OrdinaryUser;
import io.carlos.model.linux.RootLane;
import io.carlos.model.linux.SwapLoop;
import io.carlos.model.names.InputFileName;
import io.carlos.model.runs.InputFile;
import io.carlos.model.runs.RunId;
import io.carlos.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StagingTest {
    private static final RunId RUN = RunId.of("run_" + "a".repeat(26));
    private static final RunId OTHER_RUN = RunId.of("run_" + "b".repeat(26));

    @TempDir
    Path temporary;

    private Path outside;
    private Path instance;
    private Path runs;
    private Path run;
    private Directory data;
    private Staging staging;

    @BeforeEach
    void openInstance() throws IOException {
        outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createDirectory(outside.resolve(RUN.value()));
        Files.writeString(outside.resolve(RUN.value()).resolve("kept"), "kept");
        instance = Files.createDirectory(temporary.resolve("instance"));
        runs = instance.resolve(".carlos-run");
        run = runs.resolve(RUN.value());
        data = Directory.open(instance);
        staging = new Staging(data);
    }

    @AfterEach
    void nothingOutsideWasTouched() throws IOException {
        data.close();
        assertThat(outside.toFile().list()).containsExactly(RUN.value());
        assertThat(outside.resolve(RUN.value()).toFile().list()).containsExactly("kept");
        assertThat(outside.resolve(RUN.value()).resolve("kept")).hasContent("kept");
    }

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
    void fileInPlaceOfTheDirectoryOfRunsIsRefused() throws IOException {
        Files.writeString(runs, "planted");

        assertRefused(".carlos-run: expected a place to create it, found something in the way (ENOTDIR)");

        assertThat(runs).hasContent("planted");
    }

    @Test
    void linkInPlaceOfTheDirectoryOfRunsIsRefused() throws IOException {
        Files.createSymbolicLink(runs, outside);

        assertRefused(".carlos-run: expected a place to create it, found something in the way (ELOOP)");
    }

    @Test
    void fifoInPlaceOfTheDirectoryOfRunsIsRefused() throws Exception {
        makeFifo(runs);

        assertRefused(".carlos-run: expected a place to create it, found something in the way (ENOTDIR)");
    }

    @Test
    void mountInPlaceOfTheDirectoryOfRunsIsRefused() throws IOException {
        Files.createDirectory(runs);
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));

        try (RootLane.Mounted mounted = RootLane.bind(elsewhere, runs)) {
            assertRefused(".carlos-run: something is mounted there");
            assertThat(mounted.target()).isEmptyDirectory();
        }
    }

    @Test
    void directoryOfRunsThatIsSomebodyElsesIsRefused() throws IOException {
        RootLane.require("make a directory that another user does not own");
        Files.createDirectory(runs);
        Files.setPosixFilePermissions(runs, PosixFilePermissions.fromString("rwxrwxrwx"));

        try (OrdinaryUser user = new OrdinaryUser(instance)) {
            assertThat(user).isNotNull();
            assertRefused(".carlos-run: expected a place to create it, found something in the way (EPERM)");
        }
    }

    @Test
    void linkInPlaceOfTheRunIsRefused() throws IOException {
        Files.createDirectory(runs);
        Files.createSymbolicLink(run, outside.resolve(RUN.value()));

        assertRefused(".carlos-run/" + RUN + ": expected a place to create it, found something in the way (EEXIST)");

        assertThat(run).isSymbolicLink();
    }

    @Test
    void directoryInPlaceOfTheRunIsRefusedAndStays() throws IOException {
        Files.createDirectories(run);
        Files.writeString(run.resolve("planted"), "planted");

        assertRefused(".carlos-run/" + RUN + ": expected a place to create it, found something in the way (EEXIST)");

        assertThat(run.resolve("planted")).hasContent("planted");
    }

    @Test
    void fileInPlaceOfTheRunIsRefused() throws IOException {
        Files.createDirectory(runs);
        Files.writeString(run, "planted");

        assertRefused(".carlos-run/" + RUN + ": expected a place to create it, found something in the way (EEXIST)");
    }

    @Test
    void fileInPlaceOfAnInputIsRefusedAndNotWrittenTo() throws IOException {
        Path hardLink = temporary.resolve("hard link");
        assertInputRefused(name -> {
            Files.writeString(hardLink, "planted");
            Files.createLink(name, hardLink);
        });

        assertThat(hardLink).hasContent("planted");
    }

    @Test
    void linkInPlaceOfAnInputIsRefused() throws IOException {
        assertInputRefused(name ->
                Files.createSymbolicLink(name, outside.resolve(RUN.value()).resolve("kept")));
    }

    @Test
    void danglingLinkInPlaceOfAnInputIsRefused() throws IOException {
        assertInputRefused(name -> Files.createSymbolicLink(name, outside.resolve("new")));
    }

    @Test
    void directoryInPlaceOfAnInputIsRefused() throws IOException {
        assertInputRefused(Files::createDirectory);
    }

    @Test
    void fifoInPlaceOfAnInputIsRefused() throws IOException {
        assertInputRefused(StagingTest::makeFifo);
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

    @Test
    void nothingIsStagedOutsideWhileTheDirectoryOfRunsIsSwappedForALink() throws Exception {
        Files.createDirectory(runs);
        Path link = Files.createSymbolicLink(instance.resolve("link"), outside);

        int staged = 0;
        int refused = 0;
        try (SwapLoop swaps = new SwapLoop(runs, link)) {
            while (staged < 50 || refused < 50) {
                try {
                    staging.stage(OTHER_RUN, List.of(input("a", "1")));
                    staged++;
                } catch (StagingRefusedException e) {
                    refused++;
                }
                removeStubbornly(OTHER_RUN);
            }
            swaps.awaitSwaps(1);
        }
    }

    @Test
    void removedRunIsGoneAndOthersStay() throws Exception {
        staging.stage(RUN, List.of(input("a", "1")));
        staging.stage(OTHER_RUN, List.of(input("a", "1")));
        Files.createSymbolicLink(run.resolve("link"), outside);

        staging.remove(RUN);

        assertThat(runs.toFile().list()).containsExactly(OTHER_RUN.value());
    }

    @Test
    void removalOfAnAbsentRunDoesNothing() throws IOException {
        staging.remove(RUN);

        Files.createDirectory(runs);
        staging.remove(RUN);

        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void removalFollowsNoLinkInPlaceOfTheRun() throws IOException {
        Files.createDirectory(runs);
        Files.createSymbolicLink(run, outside);

        staging.remove(RUN);

        assertThat(runs).isEmptyDirectory();
    }

    @Test
    void removalFollowsNoLinkInPlaceOfTheDirectoryOfRuns() throws IOException {
        Files.createSymbolicLink(runs, outside);

        assertThatExceptionOfType(LinuxException.class)
                .isThrownBy(() -> staging.remove(RUN))
                .matches(e -> e.is(Errno.ELOOP));
    }

    @Test
    void removalStopsAtAMount() throws Exception {
        staging.stage(RUN, List.of(input("a", "1")));
        Path mountPoint = Files.createDirectory(run.resolve("mounted"));

        try (RootLane.Mounted mounted = RootLane.bind(outside, mountPoint)) {
            assertThatExceptionOfType(MountInTreeException.class)
                    .isThrownBy(() -> staging.remove(RUN))
                    .satisfies(e -> assertThat(e.mounts())
                            .containsExactly(mounted.target().toString()));
        }

        assertThat(run.toFile().list()).containsExactly("mounted");
    }

    /** What somebody does before an input is written, to the path where it will be. */
    @FunctionalInterface
    private interface Planting {
        void plant(Path path) throws IOException;
    }

    private void assertInputRefused(Planting planting) throws IOException {
        StagedInput input = new StagedInput(described("a", bytes("1")), () -> {
            try {
                planting.plant(run.resolve("a"));
            } catch (IOException e) {
                throw new AssertionError("could not plant", e);
            }
            return bytes("1");
        });

        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> staging.stage(RUN, List.of(input)))
                .withMessage("the input file a: expected a place to create it, found something in the way (EEXIST)");
        assertThat(runs).isEmptyDirectory();
    }

    private void assertRefused(String message) {
        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> staging.stage(RUN, List.of(input("a", "1"))))
                .withMessage(message);
    }

    /** Under the swap loop a removal is refused too; it succeeds when the directory is in its place. */
    private void removeStubbornly(RunId id) throws IOException {
        while (true) {
            try {
                staging.remove(id);
                return;
            } catch (LinuxException e) {
                assertThat(e).matches(x -> x.is(Errno.ELOOP), "a link in the way");
            }
        }
    }

    private static void makeFifo(Path path) throws IOException {
        try {
            int exit = new ProcessBuilder("mkfifo", path.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            assertThat(exit).isZero();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static StagedInput input(String name, String content) {
        return input(name, bytes(content));
    }

    private static StagedInput input(String name, byte[] content) {
        return new StagedInput(described(name, content), () -> content);
    }

    private static InputFile described(String name, byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return new InputFile(
                    InputFileName.of(name), content.length, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String content) {
        return content.getBytes(UTF_8);
    }
}
