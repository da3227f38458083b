package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.MountInTreeException;
import io.carlos.model.linux.RootLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Only the run itself is removed, whatever is planted in its place. */
class StagingRemovalTest extends StagingFixture {
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
}
