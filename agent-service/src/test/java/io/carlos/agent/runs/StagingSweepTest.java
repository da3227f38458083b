package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.MountInTreeException;
import io.carlos.model.linux.RootLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingSweepTest {
    @TempDir
    Path temporary;

    private Path outside;
    private Path instances;

    @BeforeEach
    void makeGoodInstances() throws IOException {
        outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createDirectories(outside.resolve(".carlos-run/kept"));
        instances = Files.createDirectory(temporary.resolve("instances"));
        for (String name : new String[] {"a.example.com", "z.example.com", "_aaaa-1234abcd"}) {
            Files.createDirectories(instances.resolve(name).resolve(".carlos-run/run/sub"));
            Files.writeString(instances.resolve(name).resolve(".carlos-run/run/file"), "");
            Files.writeString(instances.resolve(name).resolve("own"), "own");
        }
    }

    /** What is left of the sweep, after everything else was found as it must be. */
    private Map<String, IOException> sweep() throws IOException {
        Map<String, IOException> left = Staging.sweep(instances);
        for (String name : new String[] {"a.example.com", "z.example.com", "_aaaa-1234abcd"}) {
            assertThat(instances.resolve(name).toFile().list()).containsExactly("own");
        }
        assertThat(outside.resolve(".carlos-run/kept")).isEmptyDirectory();
        return left;
    }

    @Test
    void allRunDirectoriesAreSwept() throws IOException {
        assertThat(sweep()).isEmpty();
    }

    @Test
    void instanceWithoutRunsIsLeftAlone() throws IOException {
        Files.createDirectories(instances.resolve("m.example.com/own"));

        assertThat(sweep()).isEmpty();

        assertThat(instances.resolve("m.example.com/own")).isEmptyDirectory();
    }

    @Test
    void linkInPlaceOfTheRunsIsRemovedAndNotFollowed() throws IOException {
        Files.createDirectory(instances.resolve("m.example.com"));
        Files.createSymbolicLink(instances.resolve("m.example.com/.carlos-run"), outside.resolve(".carlos-run"));

        assertThat(sweep()).isEmpty();

        assertThat(instances.resolve("m.example.com")).isEmptyDirectory();
    }

    @Test
    void linkInPlaceOfAnInstanceIsReportedAndNotFollowed() throws IOException {
        Files.createSymbolicLink(instances.resolve("m.example.com"), outside);

        assertThat(sweep())
                .containsOnlyKeys("m.example.com")
                .allSatisfy((instance, cause) -> assertThat(cause)
                        .isInstanceOfSatisfying(
                                LinuxException.class,
                                e -> assertThat(e.is(Errno.ELOOP)).isTrue()));
    }

    @Test
    void mountInARunIsReportedAndNotCrossed() throws IOException {
        Path mountPoint = Files.createDirectories(instances.resolve("m.example.com/.carlos-run/run/mounted"));

        Map<String, IOException> left;
        try (RootLane.Mounted mounted = RootLane.bind(outside, mountPoint)) {
            left = sweep();
            assertThat(mounted.target().resolve(".carlos-run/kept")).isEmptyDirectory();
        }

        assertThat(left).containsOnlyKeys("m.example.com");
        assertThat(left.get("m.example.com")).isInstanceOf(MountInTreeException.class);
    }

    @Test
    void fileAmongTheInstancesIsReported() throws IOException {
        Files.writeString(instances.resolve("m.example.com"), "");

        assertThat(sweep()).containsOnlyKeys("m.example.com");
    }

    @Test
    void boxWithoutInstancesHasNothingToSweep() throws IOException {
        assertThat(Staging.sweep(temporary.resolve("absent"))).isEmpty();
    }
}
