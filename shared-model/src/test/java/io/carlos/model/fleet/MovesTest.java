package io.carlos.model.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.runs.Transition;
import io.carlos.model.runs.Transition.Refusal;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MovesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);
    private static final RunId ID = RunId.of("run_" + "a".repeat(26));

    private final InstanceRecord record = Records.of("a.example.com").withBox("b1", 3L);

    @Test
    void aMovedInstanceHasTheNewBoxAndNoEpochOfTheOldOne() {
        InstanceRecord moved = changed(Moves.move(record, "b2"));
        assertThat(moved.box()).isEqualTo("b2");
        assertThat(moved.boxEpoch()).isNull();
    }

    @Test
    void aMoveToItsOwnBoxIsDoneAlready() {
        assertThat(Moves.move(record, "b1")).isInstanceOf(Transition.Already.class);
    }

    @Test
    void anInstanceInTheTrashIsNotMoved() {
        assertRefused(Moves.move(record.withTrashedAt(NOW), "b2"), Refusal.TRASHED);
    }

    @Test
    void aQueuedRunMovesAlong() {
        assertThat(changed(Moves.move(queued(), "b2")).activeRun()).isEqualTo(queued().activeRun());
    }

    @Test
    void aRunThatABoxHasKeepsTheInstanceThere() {
        InstanceRecord picked = changed(RunTransitions.pick(queued(), ID, "b1", "boot", "attempt", NOW, LATER));
        assertRefused(Moves.move(picked, "b2"), Refusal.RUN_CONFLICT);
        InstanceRecord cancelling = changed(RunTransitions.cancel(picked, ID));
        assertRefused(Moves.move(cancelling, "b2"), Refusal.RUN_CONFLICT);
        InstanceRecord done = changed(RunTransitions.finish(picked, ID));
        assertThat(changed(Moves.move(done, "b2")).box()).isEqualTo("b2");
    }

    @Test
    void anInstanceIsPutIntoTheTrashOnceAndNotWithAnOpenRun() {
        InstanceRecord trashed = changed(Moves.trash(record, NOW));
        assertThat(trashed.trashedAt()).isEqualTo(NOW);
        assertThat(Moves.trash(trashed, LATER)).isInstanceOf(Transition.Already.class);
        assertRefused(Moves.trash(queued(), NOW), Refusal.RUN_CONFLICT);
    }

    private InstanceRecord queued() {
        return changed(RunTransitions.admit(record, ID, "ann", LATER));
    }

    private static InstanceRecord changed(Transition transition) {
        return ((Transition.Changed) transition).record();
    }

    private static void assertRefused(Transition transition, Refusal reason) {
        assertThat(transition)
                .isInstanceOfSatisfying(
                        Transition.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }
}
