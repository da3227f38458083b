package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.OrdinaryUser;
import io.carlos.model.linux.RootLane;
import io.carlos.model.linux.SwapLoop;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is planted where a run is to be staged, it is neither followed nor written to. */
class StagingRefusalTest extends StagingFixture {
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
        assertInputRefused(StagingRefusalTest::makeFifo);
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
}
