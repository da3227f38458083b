package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.agent.runs.StagingRefusedException;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.time.SystemScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class InstancePlacesTest {
    private static final InstanceRecord RECORD = record("a.example.com");

    @TempDir
    private Path root;

    private InstanceWorld world;
    private InstancePlaces places;

    @BeforeEach
    void openWorld() throws Exception {
        world = new InstanceWorld(root);
        places = new InstancePlaces(world.instances, new SystemScheduler(), Duration.ofMillis(100));
    }

    @AfterEach
    void closeWorld() throws Exception {
        world.close();
    }

    private static RunRequest request(Incarnation incarnation) {
        return new RunRequest(
                RunRequest.SCHEMA,
                RunId.random(new SecureRandom()),
                RECORD.ref().account(),
                RECORD.ref().app(),
                RECORD.host(),
                incarnation,
                List.of("true"),
                60,
                Records.CREATED,
                "operator",
                List.of());
    }

    private void assertRefused(String rule) {
        assertThatExceptionOfType(StagingRefusedException.class)
                .isThrownBy(() -> places.make(request(RECORD.incarnation())))
                .satisfies(e -> assertThat(e.rule()).isEqualTo(rule));
    }

    @Test
    void an_instance_of_the_box_has_its_directory_made() throws Exception {
        world.stoppedA(RECORD);

        places.make(request(RECORD.incarnation()));

        assertThat(world.data("")).isDirectory();
    }

    @Test
    void a_run_that_comes_before_its_row_makes_no_directory() throws Exception {
        assertRefused("claim");

        assertThat(world.data("")).doesNotExist();
    }

    @Test
    void a_run_of_another_incarnation_touches_nothing() throws Exception {
        world.stoppedA(Records.createdAt(RECORD, Records.CREATED.plusSeconds(1)));

        assertRefused("claim");

        assertThat(world.data("")).doesNotExist();
    }

    @Test
    void a_directory_that_cannot_be_made_is_a_refusal() throws Exception {
        world.stoppedA(RECORD);
        Files.writeString(world.paths.instanceRunStorage(InstanceWorld.ID), "in the way");

        assertRefused("flat");
    }
}
