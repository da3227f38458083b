package io.carlos.cli.instances;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.model.fleet.BoxPresence;
import io.carlos.model.fleet.FleetTimes;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records over a directory store, by the real command line. */
class InstancesIT {
    @TempDir
    private Path directory;

    private Path store;

    @BeforeEach
    void twoBoxesThatLive() {
        store = directory.resolve("store");
        try (DirectoryObjectStore objects = DirectoryObjectStore.open(store)) {
            BoxPresence.begin(objects, new SystemScheduler(), FleetTimes.DEFAULT, "eu", "b1", "boot-1");
            BoxPresence.begin(objects, new SystemScheduler(), FleetTimes.DEFAULT, "us", "b2", "boot-2");
        }
    }

    @Test
    void anInstanceIsCreatedListedMovedAndTrashed() throws Exception {
        create("a.example.com");

        assertThat(ok("instances", "list", "--output", "json"))
                .contains("\"host\":\"a.example.com\"", "\"box\":null", "\"memory_max\":1073741824");
        ok("instances", "move", "a.example.com", "--to", "b1");
        assertThat(ok("instances", "show", "a.example.com")).contains("b1").contains("eu");
        ok("instances", "trash", "a.example.com");
        assertThat(ok("instances", "list")).contains("(trash)");

        CarlosProcess moved = carlos("instances", "move", "a.example.com", "--to", "b1");
        assertThat(moved.exit()).isEqualTo(76);
        assertThat(moved.err()).contains("is in the trash");
    }

    @Test
    void whatCannotBeDoneSaysWhyAndChangesNothing() throws Exception {
        create("a.example.com");

        CarlosProcess twice =
                carlos("instances", "create", "a.example.com", "--account", "acme", "--app", "web", "--region", "us");
        assertThat(twice.exit()).isEqualTo(76);
        assertThat(twice.err()).contains("there is an instance acme/web/a.example.com already");

        CarlosProcess elsewhere = carlos("instances", "move", "a.example.com", "--to", "b2");
        assertThat(elsewhere.exit()).isEqualTo(69);
        assertThat(elsewhere.err()).contains("region eu has no box b2");

        CarlosProcess unknown = carlos("instances", "show", "b.example.com");
        assertThat(unknown.exit()).isEqualTo(69);
        assertThat(unknown.err()).contains("there is no instance b.example.com");

        CarlosProcess region =
                carlos("instances", "create", "b.example.com", "--account", "acme", "--app", "web", "--region", "e/u");
        assertThat(region.exit()).isEqualTo(64);
        assertThat(ok("instances", "list", "--region", "us")).doesNotContain("example.com");
    }

    @Test
    void boxesAreListedWithTheirState() throws Exception {
        assertThat(ok("box", "list")).contains("b1", "b2", "alive").doesNotContain("lost");
    }

    private void create(String host) throws Exception {
        ok(
                "instances",
                "create",
                host,
                "--account",
                "acme",
                "--app",
                "web",
                "--region",
                "eu",
                "--isolation",
                "process",
                "--memory",
                "1G",
                "--env",
                "A=1",
                "--env",
                "B=x=y");
    }

    private String ok(String... arguments) throws Exception {
        CarlosProcess carlos = carlos(arguments);
        assertThat(carlos.exit()).as(carlos.err()).isZero();
        return carlos.out();
    }

    private CarlosProcess carlos(String... arguments) throws Exception {
        String[] all = Stream.concat(Stream.of(arguments), Stream.of("--store", store.toString()))
                .toArray(String[]::new);
        return CarlosProcess.run(directory, all);
    }
}
