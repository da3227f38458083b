package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.instance.OperationOutcome.Failed;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files that a start makes, and what is in their way. */
@Timeout(60)
class InstanceStartFilesTest {
    @TempDir
    private Path root;

    private InstanceWorld world;

    @BeforeEach
    void openWorld() throws Exception {
        world = new InstanceWorld(root);
    }

    @AfterEach
    void closeWorld() throws Exception {
        world.close();
    }

    private void assertFailed(String reason) throws Exception {
        OperationOutcome outcome = world.startA();

        assertThat(outcome).isInstanceOf(Failed.class);
        assertThat(((Failed) outcome).reason()).contains(reason);
        assertThat(world.rowA().state()).isEqualTo(InstanceState.FAILED);
        assertThat(world.rowA().reason()).contains(reason);
        world.assertNothingLeft();
    }

    @Test
    void the_directories_have_their_modes() throws Exception {
        world.runningA();

        assertThat(mode(world.data(""))).isEqualTo(0700);
        assertThat(mode(world.run(""))).isEqualTo(02750);
    }

    private static int mode(Path path) throws Exception {
        return (int) Files.getAttribute(path, "unix:mode") & 07777;
    }

    @Test
    void directories_that_cannot_be_made() throws Exception {
        world.stoppedA(record("a.example.com"));
        Files.writeString(world.paths.instanceDataStorage(InstanceWorld.ID), "in the way");

        assertFailed("its directories cannot be made");
    }

    @Test
    void a_listener_that_cannot_listen() throws Exception {
        world.stoppedA(record("a.example.com"));
        Path socket = world.paths.logs().resolve("a.example.com.run.sock");
        Files.createDirectories(socket.resolve("in the way"));

        assertThat(world.startA()).isInstanceOf(Failed.class);

        assertThat(world.rowA().reason()).contains(socket.toString());
        assertThat(world.channel.calls()).isEmpty();
        assertThat(world.data("launch.run.json")).doesNotExist();
    }

    @Test
    void a_launch_file_that_cannot_be_written() throws Exception {
        world.stoppedA(record("a.example.com"));
        Files.delete(world.paths.data().resolve("instances"));

        assertFailed("its launch file cannot be written");
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_launch_file_that_breaks_a_rule() throws Exception {
        world.stoppedA(withEnvironment("A\0", "x"));

        assertFailed("its launch file cannot be written");
        assertThat(world.channel.calls()).isEmpty();
    }

    private static InstanceRecord withEnvironment(String key, String value) {
        return Records.withEnvironment(record("a.example.com"), Map.of(key, value));
    }

    @Test
    void a_link_in_the_place_of_the_launch_file_is_replaced_and_not_followed() throws Exception {
        Path outside = Files.writeString(root.resolve("outside"), "mine");
        Files.createDirectories(world.data(""));
        Files.createSymbolicLink(world.data("launch.run.json"), outside);

        world.runningA();

        assertThat(outside).hasContent("mine");
        assertThat(Files.isSymbolicLink(world.data("launch.run.json"))).isFalse();
    }

    @Test
    void a_directory_in_the_place_of_the_launch_file_fails_the_start_and_stays() throws Exception {
        Files.createDirectories(world.data("launch.run.json/sub"));
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(Failed.class);

        assertThat(world.rowA().reason()).contains("its launch file cannot be written");
        assertThat(world.data("launch.run.json/sub")).exists();
        try (Stream<Path> files = Files.list(world.data(""))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("launch.run.json");
        }
    }

    @Test
    void beside_a_command_a_directory_in_the_place_of_the_socket_fails_the_start_and_stays() throws Exception {
        Files.createDirectories(world.run("app.sock/sub"));
        world.stoppedA(record("a.example.com"));
        assertThat(world.instances.lane(A).turn().commands().hold(reason -> {})).isPresent();

        assertThat(world.startA()).isInstanceOf(Failed.class);

        assertThat(world.run("app.sock/sub")).exists();
    }

    @Test
    void directories_that_a_tenant_has_closed_and_given_to_another_group_are_taken_back() throws Exception {
        Files.createDirectories(world.run(""));
        int group = (int) Files.getAttribute(world.run("").getParent(), "unix:gid");
        Files.setAttribute(world.run(""), "unix:gid", group + 1);
        Files.setPosixFilePermissions(world.run(""), Set.of());

        world.runningA();

        assertThat(mode(world.run(""))).isEqualTo(02750);
        assertThat(Files.getAttribute(world.run(""), "unix:gid")).isEqualTo(group);
    }
}
