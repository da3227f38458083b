package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.BOUND;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.instance.OperationOutcome.NoInstance;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.linux.Directory;
import io.carlos.model.names.Role;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the box follows its records. */
@Timeout(120)
class InstanceRecordsTest {
    @TempDir
    private Path root;

    private InstanceWorld world;

    @BeforeEach
    void openWorld() throws Exception {
        world = new InstanceWorld(root);
        world.instances.begin();
    }

    @AfterEach
    void closeWorld() throws Exception {
        world.close();
    }

    private void running(InstanceRecord record) {
        world.pass(record);
        world.awaitState(InstanceState.RUNNING);
    }

    private static InstanceRecord recreated() {
        return Records.createdAt(record("a.example.com"), Records.CREATED.plusSeconds(1));
    }

    @Test
    void a_new_record_becomes_a_row_and_is_started() throws Exception {
        world.pass(record("a.example.com"));

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_record_that_has_not_changed_does_nothing() throws Exception {
        running(record("a.example.com"));
        InstanceRow before = world.rowA();

        world.pass(record("a.example.com"));
        world.awaitQuiet();

        assertThat(world.rowA()).isEqualTo(before);
        assertThat(world.channel.calls()).hasSize(1);
    }

    @Test
    void a_record_that_is_gone_stops_its_instance_and_keeps_its_data() throws Exception {
        running(record("a.example.com"));
        Files.writeString(world.data("precious"), "x");

        world.pass();

        world.await(() -> world.instances.rows().isEmpty(), "no row");
        world.awaitState(InstanceState.STOPPED);
        world.assertNothingLeft();
        assertThat(world.data("precious")).exists();
        assertThat(world.startA()).isEqualTo(new NoInstance(A));
    }

    @Test
    void a_record_that_is_gone_makes_a_start_give_up() throws Exception {
        world.channel.program(Role.RUN, PlayedUnit::comeToRun);
        world.pass(record("a.example.com"));
        world.await(() -> !world.channel.running().isEmpty(), "the unit");

        world.pass();

        world.awaitState(InstanceState.STOPPED);
        world.assertNothingLeft();
    }

    @Test
    void a_record_that_comes_back_is_started_on_its_data() throws Exception {
        running(record("a.example.com"));
        Files.writeString(world.data("precious"), "x");
        world.pass();
        world.awaitState(InstanceState.STOPPED);

        running(record("a.example.com"));

        assertThat(world.data("precious")).exists();
        assertThat(world.instances.rows()).hasSize(1);
    }

    @Test
    void a_record_that_could_not_be_read_changes_nothing() throws Exception {
        InstanceRecord record = record("a.example.com");
        running(record);

        world.instances.owned(List.of(), Set.of(record.ref()));
        world.awaitQuiet();

        assertThat(world.rowA().state()).isEqualTo(InstanceState.RUNNING);
        assertThat(world.channel.running()).hasSize(1);
    }

    @Test
    void another_incarnation_does_not_get_the_data_of_the_first() throws Exception {
        running(record("a.example.com"));
        world.pass();
        world.awaitState(InstanceState.STOPPED);

        world.pass(recreated());

        world.awaitState(InstanceState.FAILED);
        assertThat(world.rowA().reason()).contains("another incarnation");
        assertThat(world.instances.rows()).isEmpty();
        assertThat(world.channel.calls()).containsOnlyOnce("start run a.example.com");
    }

    @Test
    void another_incarnation_between_two_passes_stops_the_first() throws Exception {
        running(record("a.example.com"));

        world.pass(recreated());

        world.awaitState(InstanceState.FAILED);
        world.assertNothingLeft();
        assertThat(world.instances.rows()).isEmpty();
    }

    @Test
    void another_incarnation_starts_once_the_data_is_moved_away() throws Exception {
        running(record("a.example.com"));
        world.pass();
        world.awaitState(InstanceState.STOPPED);
        try (Directory data = Directory.open(world.paths.data().resolve(".instances"))) {
            data.removeTree("a.example.com");
        }

        running(recreated());

        assertThat(world.rowA().incarnation()).isEqualTo(recreated().incarnation());
    }

    @Test
    void another_isolation_is_a_row_without_a_unit() throws Exception {
        world.pass(Records.withIsolation(record("a.example.com"), Isolation.PODMAN));
        world.await(() -> !world.instances.rows().isEmpty(), "a row");
        world.awaitQuiet();

        assertThat(world.rowA().isolation()).isEqualTo(Isolation.PODMAN);
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_changed_environment_is_the_next_starts() throws Exception {
        running(record("a.example.com"));
        InstanceRecord changed =
                Records.nextVersion(Records.withEnvironment(record("a.example.com"), Map.of("COLOUR", "blue")));

        world.pass(changed);
        world.await(() -> world.rowA().env().containsKey("COLOUR"), "the environment");

        assertThat(world.channel.calls()).hasSize(1);
        world.stopA();
        world.startA();
        assertThat(world.channel.newest().launch().env()).contains("COLOUR=blue");
    }

    @Test
    void an_instance_that_an_operator_stopped_is_not_started_by_a_pass() throws Exception {
        running(record("a.example.com"));
        world.stopA();

        world.pass(Records.nextVersion(record("a.example.com")));
        world.await(() -> world.rowA().recordVersion() == 2, "the newer version");
        world.awaitQuiet();

        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
    }

    @Test
    void a_command_is_told_when_another_incarnation_comes_and_its_unit_is_stopped() throws Exception {
        running(record("a.example.com"));
        List<String> told = new CopyOnWriteArrayList<>();
        assertThat(world.instances.lane(A).turn().commands().hold(told::add)).isPresent();

        world.pass(recreated());

        world.awaitState(InstanceState.FAILED);
        assertThat(told).hasSize(1);
        assertThat(told.getFirst()).contains("another incarnation");
        assertThat(world.channel.calls()).contains("stop cmd a.example.com");
    }

    @Test
    void a_command_is_told_when_its_instance_is_to_have_no_unit_any_more() throws Exception {
        running(record("a.example.com"));
        world.stopA();
        List<String> told = new CopyOnWriteArrayList<>();
        assertThat(world.instances.lane(A).turn().commands().hold(told::add)).isPresent();

        world.pass(Records.nextVersion(Records.withIsolation(record("a.example.com"), Isolation.PODMAN)));
        world.awaitQuiet();

        assertThat(told).containsExactly("its isolation is podman now");
        assertThat(world.channel.calls()).contains("stop cmd a.example.com");
        assertThat(world.rowA().isolation()).isEqualTo(Isolation.PODMAN);
    }

    @Test
    void what_runs_of_the_first_incarnation_is_stopped_before_another_starts() throws Exception {
        running(record("a.example.com"));
        PlayedUnit first = world.channel.newest();
        first.print("of the first\n");
        assertThat(world.logs.reader(A, Role.RUN, 1).orElseThrow().read(BOUND).lines())
                .hasSize(1);
        try (Directory data = Directory.open(world.paths.data().resolve(".instances"))) {
            data.removeTree("a.example.com");
        }

        world.pass(recreated());

        world.await(() -> world.rowA().incarnation().equals(recreated().incarnation()), "the other's row");
        world.awaitState(InstanceState.RUNNING);
        assertThat(first.hasEnded()).isTrue();
        assertThat(world.channel.running()).hasSize(1);
        assertThat(world.logs
                        .reader(A, Role.RUN, 1)
                        .orElseThrow()
                        .read(Duration.ZERO)
                        .lines())
                .isEmpty();
    }

    /** An agent that is new, and an instance with data that was stopped, of which it finds neither row nor running unit. */
    private void lostRow(Lost lost) throws Exception {
        running(record("a.example.com"));
        world.stopA();
        Files.writeString(world.data("precious"), "x");
        lost.lose(world.paths.data().resolve(".agent/instances/a.example.com.json"));
        world.restartAgent();
        world.instances.begin();
    }

    @FunctionalInterface
    private interface Lost {
        void lose(Path row) throws IOException;
    }

    private Path note() {
        return world.paths.data().resolve(".instances/.owners/a.example.com.json");
    }

    @Test
    void an_instance_whose_row_cannot_be_read_stays_its_incarnations_and_as_an_operator_wanted_it() throws Exception {
        lostRow(row -> Files.writeString(row, "{"));

        world.pass(record("a.example.com"));
        world.awaitQuiet();

        assertThat(world.rowA().desired()).isEqualTo(Desired.STOPPED);
        assertThat(world.startA()).isInstanceOf(OperationOutcome.Done.class);
        assertThat(world.data("precious")).exists();
    }

    @Test
    void data_of_a_lost_row_is_given_to_no_other_incarnation() throws Exception {
        lostRow(Files::delete);

        world.pass(Records.createdAt(record("a.example.com"), Records.CREATED.plusSeconds(1)));
        world.awaitQuiet();

        assertThat(world.table.rows()).isEmpty();
        assertThat(world.channel.calls()).containsOnlyOnce("start run a.example.com");
    }

    @Test
    void data_of_a_lost_row_without_a_note_is_given_to_no_record() throws Exception {
        lostRow(row -> {
            Files.writeString(row, "{");
            Files.delete(note());
        });

        world.pass(record("a.example.com"));
        world.awaitQuiet();

        assertThat(world.table.rows()).isEmpty();
        assertThat(world.channel.calls()).containsOnlyOnce("start run a.example.com");
        assertThat(world.data("precious")).exists();
    }

    /** The first incarnation has gone from the box, and its data was moved away; another's was put there, with its note. */
    private void othersDataInThePlaceOfTheFirsts() throws Exception {
        running(record("a.example.com"));
        world.pass();
        world.await(() -> world.rowA().desired() == Desired.GONE, "it to go");
        world.awaitQuiet();
        Files.writeString(world.data("precious"), "of the other");
        OwnerNote others =
                OwnerNote.of(InstanceRow.created(recreated(), recreated().createdAt()));
        Files.write(note(), CarlosJson.write(others));
        world.restartAgent();
        world.instances.begin();
    }

    @Test
    void data_that_came_with_its_note_is_its_incarnations_though_the_row_is_of_an_earlier_one() throws Exception {
        othersDataInThePlaceOfTheFirsts();

        world.pass(recreated());

        world.awaitState(InstanceState.RUNNING);
        assertThat(world.rowA().incarnation()).isEqualTo(recreated().incarnation());
        assertThat(world.data("precious")).exists();
    }

    @Test
    void data_that_came_with_its_note_is_not_given_to_the_earlier_incarnation() throws Exception {
        othersDataInThePlaceOfTheFirsts();

        world.pass(record("a.example.com"));
        world.awaitQuiet();

        assertThat(world.rowA().desired()).isEqualTo(Desired.GONE);
        assertThat(world.channel.running()).isEmpty();
        assertThat(Files.readString(note())).contains(recreated().incarnation().toString());
    }

    /** Nothing is followed of A until the latch is open. */
    private CompletableFuture<Void> busy(CountDownLatch open) throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(1);
        CompletableFuture<Void> busy = CompletableFuture.runAsync(() -> {
            try {
                world.instances.lane(A).turn().take(() -> {
                    taken.countDown();
                    return open.await(BOUND.toSeconds(), TimeUnit.SECONDS);
                });
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        taken.await();
        return busy;
    }

    @Test
    void a_record_that_is_another_boxs_by_the_time_of_its_turn_is_not_started() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CompletableFuture<Void> busy = busy(open);
        world.pass(record("a.example.com"));
        world.pass();

        open.countDown();
        busy.join();
        world.awaitQuiet();

        assertThat(world.table.rows()).isEmpty();
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_record_that_cannot_be_read_any_more_by_the_time_of_its_turn_is_followed() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CompletableFuture<Void> busy = busy(open);
        world.pass(record("a.example.com"));
        world.instances.owned(List.of(), Set.of(record("a.example.com").ref()));

        open.countDown();
        busy.join();

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void passes_while_a_host_is_busy_are_followed_once_by_the_newest() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CompletableFuture<Void> busy = busy(open);
        world.pass(record("a.example.com"));
        world.pass(record("a.example.com"));
        world.pass(Records.nextVersion(record("a.example.com")));

        assertThat(world.instances.underWay()).containsExactly("follow a.example.com");

        open.countDown();
        busy.join();
        world.awaitState(InstanceState.RUNNING);
        assertThat(world.rowA().recordVersion()).isEqualTo(2);
    }
}
