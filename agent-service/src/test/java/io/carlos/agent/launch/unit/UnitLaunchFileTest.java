package io.carlos.agent.launch.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.names.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a launch writes for the program in the unit, and where. */
@Timeout(60)
class UnitLaunchFileTest {
    @TempDir
    Path root;

    private UnitWorld world;
    private ScriptedControl control;

    @BeforeEach
    void makeWorld() throws IOException {
        world = new UnitWorld(root);
        control = world.control();
    }

    private static void settle(LaunchedRun run) throws InterruptedException {
        run.stop(Duration.ZERO);
    }

    private LaunchFile launchFile() throws IOException {
        return LaunchFile.read(Files.readAllBytes(world.launchFile()));
    }

    @Test
    void argumentsAreThoseOfTheInstancesOwnProgram() throws Exception {
        LaunchedRun run = world.start();
        LaunchFile file = launchFile();
        assertThat(file.argv())
                .containsExactly(
                        world.box().paths().live().resolve("acme.example.com").toString(), "import", "rows.csv");
        file.checkProgram(world.box().paths().live().toString(), InstanceId.of(UnitWorld.HOST));
        settle(run);
    }

    @Test
    void environmentIsTheInstancesThenTheRunsThenThePlatforms() throws Exception {
        LaunchedRun run = world.start();
        String data = world.request().dataDirectory().toString();
        assertThat(launchFile().env())
                .containsExactlyInAnyOrder(
                        "PATH=/usr/local/bin:/usr/bin:/bin",
                        "HOME=" + data,
                        "OF_THE_INSTANCE=yes",
                        "OF_THE_RUN=yes",
                        "CARLOS_HOST=acme.example.com",
                        "CARLOS_ROLE=cmd",
                        "CARLOS_RUN_ID=" + world.request().id(),
                        "CARLOS_DATA_DIR=" + data,
                        "CARLOS_RUN_DIR=" + world.request().runDirectory());
        settle(run);
    }

    @Test
    void launchFileIsItsOwnersAlone() throws Exception {
        LaunchedRun run = world.start();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(world.launchFile())))
                .isEqualTo("rw-------");
        settle(run);
    }

    @Test
    void linkInThePlaceOfTheLaunchFileIsReplacedAndNotFollowed() throws Exception {
        Path secret = Files.writeString(root.resolve("secret"), "untouched");
        Files.createSymbolicLink(world.launchFile(), secret);
        LaunchedRun run = world.start();
        assertThat(secret).hasContent("untouched");
        assertThat(Files.isRegularFile(world.launchFile(), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
        settle(run);
    }

    @Test
    void directoryInThePlaceOfTheLaunchFileFailsTheLaunchAndIsNotEmptied() throws Exception {
        Path filled = Files.createDirectories(world.launchFile().resolve("x"));
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(control.calls()).isEmpty();
        assertThat(filled).exists();
        assertThat(world.gate().held()).isEmpty();
        try (Stream<Path> data = Files.list(world.launchFile().getParent())) {
            assertThat(data.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void theGateIsAskedForTheIncarnationAndTheRecord() throws Exception {
        settle(world.start());
        assertThat(world.gate().asked())
                .containsExactly(Map.entry(UnitWorld.RECORD.ref(), UnitWorld.RECORD.incarnation()));
    }

    @Test
    void argumentsThatNoLaunchFileHoldsFailTheLaunch() throws Exception {
        LaunchRequest big = new LaunchRequest(
                world.request().id(),
                UnitWorld.RECORD.ref(),
                UnitWorld.RECORD.incarnation(),
                List.of("x".repeat(LaunchFile.MAX_BYTES)),
                Map.of(),
                world.request().dataDirectory(),
                world.request().runDirectory());
        assertThat(world.launcher().launch(big, new RecordingSink())).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(control.calls()).isEmpty();
        world.assertNothingIsLeft();
    }

    @Test
    void missingLogDirectoryFailsTheLaunch() throws Exception {
        Files.delete(world.box().paths().logs());
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(world.gate().held()).isEmpty();
        assertThat(control.calls()).isEmpty();
    }
}
