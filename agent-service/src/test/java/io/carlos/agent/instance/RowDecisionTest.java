package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowDecisionTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final InstanceRecord RECORD = Records.of("a.example.com");
    private static final InstanceRow ROW = InstanceRow.created(RECORD, NOW);

    private static RowDecision decide(InstanceRow row, InstanceRecord record, boolean hasData) {
        return RowDecision.decide(row, record, hasData, Optional.of(OwnerNote.of(row)), NOW);
    }

    /** Beside data. */
    private static RowDecision decide(InstanceRow row, InstanceRecord record, OwnerNote note) {
        return RowDecision.decide(row, record, true, Optional.of(note), NOW);
    }

    private static RowDecision decideWithoutRow(OwnerNote note, InstanceRecord record) {
        return RowDecision.decideWithoutRow(Optional.of(note), Optional.empty(), record, NOW);
    }

    @Test
    void data_that_nobody_knows_the_owner_of_is_nobodys() {
        Path lost = Path.of("/data/a.example.com.json.corrupt");

        assertThat(RowDecision.decideWithoutRow(Optional.empty(), Optional.empty(), RECORD, NOW))
                .isInstanceOf(RowDecision.Refuse.class);
        RowDecision refused = RowDecision.decideWithoutRow(Optional.empty(), Optional.of(lost), RECORD, NOW);
        assertThat(refused).isInstanceOf(RowDecision.Refuse.class);
        assertThat(((RowDecision.Refuse) refused).reason()).contains(lost.toString());
    }

    @Test
    void a_lost_row_comes_back_for_the_incarnation_in_its_note() {
        assertThat(decideWithoutRow(OwnerNote.of(ROW), RECORD)).isEqualTo(new RowDecision.Create(ROW));
        assertThat(decideWithoutRow(OwnerNote.of(ROW.withSeedCommitted()), RECORD))
                .isEqualTo(new RowDecision.Create(ROW.withSeedCommitted()));
        assertThat(decideWithoutRow(OwnerNote.of(ROW.withDesired(Desired.STOPPED)), RECORD))
                .isEqualTo(new RowDecision.Create(ROW.withDesired(Desired.STOPPED)));
        assertThat(decideWithoutRow(OwnerNote.of(ROW.withDesired(Desired.GONE)), RECORD))
                .isEqualTo(new RowDecision.Create(ROW));
    }

    @Test
    void a_lost_row_comes_back_for_no_other_incarnation() {
        InstanceRecord other = Records.createdAt(RECORD, Records.CREATED.plusSeconds(1));

        assertThat(decideWithoutRow(OwnerNote.of(ROW), other)).isInstanceOf(RowDecision.Refuse.class);
    }

    @Test
    void the_same_version_is_kept() {
        assertThat(decide(ROW, RECORD, true)).isEqualTo(new RowDecision.Keep());
    }

    @Test
    void a_newer_version_updates_the_row_and_keeps_its_state() {
        InstanceRow running = ROW.withState(InstanceState.CRASHED, "x", NOW).withSeedCommitted();
        InstanceRecord newer = Records.withMemory(Records.nextVersion(RECORD), 1L << 30);

        assertThat(decide(running, newer, true)).isEqualTo(new RowDecision.Update(running.updated(newer)));
        assertThat(running.updated(newer).memoryMax()).isEqualTo(1L << 30);
        assertThat(running.updated(newer).seedCommitted()).isTrue();
        assertThat(running.updated(newer).state()).isEqualTo(InstanceState.CRASHED);
    }

    @Test
    void an_older_version_changes_nothing() {
        InstanceRow newer = ROW.updated(Records.nextVersion(RECORD));

        assertThat(decide(newer, RECORD, true)).isEqualTo(new RowDecision.Keep());
    }

    @Test
    void a_row_that_was_gone_is_wanted_again() {
        InstanceRow gone = ROW.withSeedCommitted().withDesired(Desired.GONE);

        assertThat(decide(gone, RECORD, true)).isEqualTo(new RowDecision.Create(ROW.withSeedCommitted()));
    }

    @Test
    void a_row_that_is_gone_knows_less_than_the_note_that_came_with_the_data() {
        InstanceRow gone = ROW.withDesired(Desired.GONE);
        InstanceRecord other = Records.createdAt(RECORD, Records.CREATED.plusSeconds(1));
        InstanceRow others = InstanceRow.created(other, NOW).withSeedCommitted();

        assertThat(decide(gone, other, OwnerNote.of(others))).isEqualTo(new RowDecision.Create(others));
        assertThat(decide(gone, RECORD, OwnerNote.of(others))).isInstanceOf(RowDecision.Refuse.class);
        assertThat(RowDecision.decide(gone, RECORD, false, Optional.of(OwnerNote.of(others)), NOW))
                .isEqualTo(new RowDecision.Create(ROW));
        assertThat(RowDecision.decide(gone, RECORD, true, Optional.empty(), NOW))
                .isEqualTo(new RowDecision.Create(ROW));
    }

    @Test
    void a_row_that_is_here_knows_better_than_a_note() {
        InstanceRecord other = Records.createdAt(RECORD, Records.CREATED.plusSeconds(1));
        OwnerNote others = OwnerNote.of(InstanceRow.created(other, NOW));

        assertThat(decide(ROW, RECORD, others)).isEqualTo(new RowDecision.Keep());
        assertThat(decide(ROW, other, others)).isInstanceOf(RowDecision.Refuse.class);
    }

    @Test
    void another_incarnation_is_refused_as_long_as_there_is_data() {
        InstanceRecord other = Records.createdAt(RECORD, Records.CREATED.plusSeconds(1));

        assertThat(decide(ROW.withDesired(Desired.GONE), other, true)).isInstanceOf(RowDecision.Refuse.class);
        assertThat(decide(ROW, other, true)).isInstanceOf(RowDecision.Refuse.class);
        assertThat(decide(ROW.withSeedCommitted(), other, false))
                .isEqualTo(new RowDecision.Create(InstanceRow.created(other, NOW)));
    }
}
