package io.carlos.cli.instances;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.store.OpenStore;
import io.carlos.model.fleet.Heartbeat;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.runs.Transition;
import io.carlos.store.Precondition;
import io.carlos.store.location.StoreLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves over a directory store, whose clock is the file system's. */
class InstanceMoveTest {
    private static final String HOST = "a.example.com";
    private static final RunId RUN = RunId.of("run_" + "a".repeat(26));
    private static final Duration AN_HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private OpenStore open;

    @BeforeEach
    void openStore() {
        open = OpenStore.at(StoreLocation.of(directory.resolve("store").toString()));
    }

    @AfterEach
    void closeStore() throws Exception {
        open.close();
    }

    @Test
    void a_box_whose_heartbeat_is_new_takes_the_instance_whatever_its_own_clock_says() throws Exception {
        InstanceRecord record = create("acme", "r1");
        beat("r1", "b1", "boot", Instant.now().minus(AN_HOUR));

        move(record, "b1");

        assertThat(read(record).box()).isEqualTo("b1");
    }

    @Test
    void a_box_whose_heartbeat_is_old_by_the_stores_clock_does_not() throws Exception {
        InstanceRecord record = create("acme", "r1");
        beat("r1", "b1", "boot", Instant.now().plus(AN_HOUR));
        age("r1", "b1");

        assertRefused(record, "b1", "box b1 is lost since");
    }

    @Test
    void a_box_whose_heartbeat_cannot_be_read_does_not() throws Exception {
        InstanceRecord record = create("acme", "r1");
        open.objects().put(Heartbeat.key("r1", "b1"), new byte[0], Precondition.NONE);

        assertRefused(record, "b1", "box b1 cannot be told to be alive");
    }

    @Test
    void a_box_that_has_another_instance_of_the_host_does_not() throws Exception {
        InstanceRecord record = create("acme", "r1");
        InstanceRecord other = create("other", "r1");
        beat("r1", "b1", "boot", Instant.now());
        move(other, "b1");

        assertRefused(record, "b1", "box b1 has other/web/a.example.com of the same host");
    }

    @Test
    void a_box_of_that_name_in_another_region_has_nothing_to_do_with_it() throws Exception {
        InstanceRecord record = create("acme", "r1");
        InstanceRecord other = create("other", "r2");
        beat("r1", "b1", "boot", Instant.now());
        beat("r2", "b1", "boot", Instant.now());
        move(other, "b1");

        move(record, "b1");

        assertThat(read(record).box()).isEqualTo("b1");
    }

    @Test
    void a_run_of_any_start_of_a_lost_box_is_closed_out_first() throws Exception {
        beat("r1", "b1", "boot-2", Instant.now());
        beat("r1", "b2", "boot", Instant.now());
        age("r1", "b1");

        InstanceRecord picked = pickedBy("boot-1");
        move(picked, "b2");

        assertThat(read(picked).box()).isEqualTo("b2");
        assertThat(read(picked).run().orElseThrow().state()).isEqualTo(ActiveRun.State.DONE);
    }

    @Test
    void a_run_of_a_box_that_is_not_lost_keeps_the_instance_where_it_is() throws Exception {
        beat("r1", "b1", "boot-1", Instant.now());
        beat("r1", "b2", "boot", Instant.now());

        assertRefused(pickedBy("boot-1"), "b2", "box b1 has run");
    }

    @Test
    void an_instance_in_a_region_that_can_have_no_box_is_not_changed() throws Exception {
        RecordRef ref = create("acme", "r/1").ref();

        assertThatThrownBy(() -> InstanceChanges.record(open, ref))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("is in a region that can have no box");
    }

    private InstanceRecord create(String account, String region) {
        RecordRef ref = new RecordRef(Account.of(account), App.of("web"), Host.of(HOST));
        InstanceRecord record = InstanceRecord.created(
                ref, "web", region, "stable", List.of(), Instant.now(), Isolation.PROCESS, 536870912, Map.of());
        return open.records().create(record).orElseThrow().record();
    }

    private InstanceRecord pickedBy(String bootId) throws Exception {
        InstanceRecord record = create("acme", "r1");
        Instant deadline = Instant.now().plus(AN_HOUR);
        give(record, "b1");
        open.records().change(record.ref(), r -> RunTransitions.admit(r, RUN, "ann", deadline));
        open.records()
                .change(
                        record.ref(),
                        r -> RunTransitions.pick(r, RUN, "b1", bootId, "attempt", Instant.now(), deadline));
        return read(record);
    }

    private void move(InstanceRecord record, String box) throws Exception {
        new InstanceMove(open, record).to(box);
    }

    /** Past every question. */
    private void give(InstanceRecord record, String box) throws Exception {
        open.records().change(record.ref(), r -> new Transition.Changed(r.withBox(box)));
    }

    private void assertRefused(InstanceRecord record, String box, String why) {
        assertThatThrownBy(() -> move(record, box))
                .isInstanceOf(CliException.class)
                .hasMessageContaining(why);
        assertThat(read(record)).isEqualTo(record);
    }

    private InstanceRecord read(InstanceRecord record) {
        return open.records().read(record.ref()).orElseThrow().record();
    }

    private void beat(String region, String box, String bootId, Instant at) {
        Heartbeat heartbeat = new Heartbeat(Heartbeat.SCHEMA, box, region, 1, bootId, 1, at, 300, null);
        open.objects().put(Heartbeat.key(region, box), CarlosJson.write(heartbeat), Precondition.NONE);
    }

    /** Makes a heartbeat one of an hour ago. */
    private void age(String region, String box) throws Exception {
        Path file = directory.resolve("store/objects").resolve(Heartbeat.key(region, box) + "=");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(AN_HOUR)));
    }
}
