package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.Transition.Already;
import io.carlos.model.runs.Transition.Changed;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.model.runs.Transition.Refused;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * <pre>
 * change    from                              to
 * admit     no run, or done                   queued
 * pick      queued                            picked
 * cancel    queued                            done/cancelled
 *           picked                            cancel
 * expire    queued past its deadline          done/expired
 * finish    picked or cancel                  done/finished
 * </pre>
 *
 * Renewing and taking a held run are in {@link HeldRunTransitionsTest}.
 */
class RunTransitionsTest {
    private static final Instant DEADLINE = Instant.parse("2026-01-02T03:05:00Z");
    private static final Instant IN_TIME = DEADLINE;
    private static final Instant LATE = DEADLINE.plusMillis(1);
    private static final Instant END = Instant.parse("2026-01-02T04:00:00Z");
    private static final RunId ID = RunId.of("run_" + "a".repeat(26));
    private static final RunId OTHER = RunId.of("run_" + "b".repeat(26));

    /** Every state a record's run can be in; {@code none} is a record that never had one. */
    enum From {
        NONE,
        QUEUED,
        PICKED_BY_US,
        PICKED_BY_AN_EARLIER_ATTEMPT,
        PICKED_BY_AN_EARLIER_BOOT,
        PICKED_BY_ANOTHER_BOX,
        CANCEL,
        FINISHED,
        CANCELLED,
        EXPIRED
    }

    enum Change {
        ADMIT,
        PICK,
        PICK_LATE,
        CANCEL,
        EXPIRE,
        EXPIRE_LATE,
        FINISH
    }

    record Row(Change change, From from, RunId id, String outcome) {}

    /** {@code =} is a success without a write, {@code !} a refusal, anything else the state written. */
    static List<Row> table() {
        String[][] same = {
            // ADMIT, PICK, PICK_LATE, CANCEL, EXPIRE, EXPIRE_LATE, FINISH of the very run
            {"NONE", "QUEUED", "!OTHER_RUN", "!OTHER_RUN", "!OTHER_RUN", "!OTHER_RUN", "!OTHER_RUN", "!OTHER_RUN"},
            {"QUEUED", "=", "PICKED", "!PAST_DEADLINE", "DONE/CANCELLED", "!IN_TIME", "DONE/EXPIRED", "!OTHER_STATE"},
            {"PICKED_BY_US", "=", "=", "=", "CANCEL", "!OTHER_STATE", "!OTHER_STATE", "DONE/FINISHED"},
            {
                "PICKED_BY_AN_EARLIER_ATTEMPT",
                "=",
                "!OTHER_STATE",
                "!OTHER_STATE",
                "CANCEL",
                "!OTHER_STATE",
                "!OTHER_STATE",
                "DONE/FINISHED"
            },
            {
                "PICKED_BY_AN_EARLIER_BOOT",
                "=",
                "!OTHER_STATE",
                "!OTHER_STATE",
                "CANCEL",
                "!OTHER_STATE",
                "!OTHER_STATE",
                "DONE/FINISHED"
            },
            {
                "PICKED_BY_ANOTHER_BOX",
                "=",
                "!OTHER_STATE",
                "!OTHER_STATE",
                "CANCEL",
                "!OTHER_STATE",
                "!OTHER_STATE",
                "DONE/FINISHED"
            },
            {"CANCEL", "=", "!OTHER_STATE", "!OTHER_STATE", "=", "!OTHER_STATE", "!OTHER_STATE", "DONE/FINISHED"},
            {"FINISHED", "=", "!OTHER_STATE", "!OTHER_STATE", "!OTHER_STATE", "!OTHER_STATE", "!OTHER_STATE", "="},
            {"CANCELLED", "=", "!OTHER_STATE", "!OTHER_STATE", "=", "!OTHER_STATE", "!OTHER_STATE", "="},
            {"EXPIRED", "=", "!OTHER_STATE", "!OTHER_STATE", "!OTHER_STATE", "=", "=", "="},
        };
        List<Row> rows = new ArrayList<>();
        for (String[] row : same) {
            for (Change change : Change.values()) {
                rows.add(new Row(change, From.valueOf(row[0]), ID, row[1 + change.ordinal()]));
            }
        }
        for (From from : From.values()) {
            boolean over = List.of(From.NONE, From.FINISHED, From.CANCELLED, From.EXPIRED)
                    .contains(from);
            for (Change change : Change.values()) {
                String outcome = change != Change.ADMIT ? "!OTHER_RUN" : over ? "QUEUED" : "!RUN_CONFLICT";
                rows.add(new Row(change, from, OTHER, outcome));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("table")
    void every_change_from_every_state(Row row) {
        InstanceRecord record = record(row.from());

        Transition transition = apply(row.change(), record, row.id());

        String outcome = switch (transition) {
            case Already() -> "=";
            case Refused(Refusal reason, String detail) -> "!" + reason;
            case Changed(InstanceRecord changed) -> {
                ActiveRun run = changed.run().orElseThrow();
                assertThat(run.id()).isEqualTo(row.id());
                yield run.state().name()
                        + (run.outcome() == null ? "" : "/" + run.outcome().name());
            }
        };
        assertThat(outcome).isEqualTo(row.outcome());
    }

    @Test
    void a_pick_names_box_boot_attempt_and_the_new_deadline() {
        Changed changed = (Changed) apply(Change.PICK, record(From.QUEUED), ID);

        ActiveRun run = changed.record().run().orElseThrow();
        assertThat(run.isPickedBy("box", "boot", "attempt")).isTrue();
        assertThat(run.pickedAt()).isEqualTo(IN_TIME);
        assertThat(run.deadline()).isEqualTo(END);
        assertThat(run.by()).isEqualTo("ann");
    }

    @Test
    void a_record_of_another_box_is_not_picked_from() {
        Transition transition = apply(Change.PICK, record(From.QUEUED).withBox("elsewhere"), ID);

        assertThat(transition).isInstanceOf(Refused.class);
        assertThat(((Refused) transition).reason()).isEqualTo(Refusal.OTHER_BOX);
    }

    @Test
    void a_trashed_record_takes_no_run_and_is_not_picked_from() {
        InstanceRecord none = record(From.NONE).withTrashedAt(DEADLINE);
        InstanceRecord queued = record(From.QUEUED).withTrashedAt(DEADLINE);

        assertThat(((Refused) apply(Change.ADMIT, none, ID)).reason()).isEqualTo(Refusal.TRASHED);
        assertThat(((Refused) apply(Change.PICK, queued, ID)).reason()).isEqualTo(Refusal.TRASHED);
    }

    static Stream<Seed> seeds() {
        return Stream.of(Seed.Kind.values())
                .flatMap(kind -> Stream.of(Seed.State.values()).map(state -> new Seed(kind, state)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void only_an_uncommitted_import_keeps_a_run_out(Seed seed) {
        Transition transition = apply(Change.ADMIT, Records.withSeed(record(From.NONE), seed), ID);

        boolean refused = seed.equals(new Seed(Seed.Kind.IMPORT, Seed.State.PLACED));
        assertThat(transition).isInstanceOf(refused ? Refused.class : Changed.class);
    }

    @Test
    void no_sequence_of_changes_leads_out_of_done_but_by_another_admission() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            InstanceRecord record = record(From.NONE);
            boolean picked = false;
            boolean done = false;
            for (int step = 0; step < 40; step++) {
                Change change = Change.values()[random.nextInt(Change.values().length)];
                if (apply(change, record, ID) instanceof Changed(InstanceRecord changed)) {
                    State now = changed.run().orElseThrow().state();
                    assertThat(done).as("seed %d: %s after done", seed, change).isFalse();
                    assertThat(picked && now == State.PICKED)
                            .as("seed %d: picked twice", seed)
                            .isFalse();
                    picked |= now == State.PICKED;
                    done = now == State.DONE;
                    record = changed;
                }
            }
        }
    }

    private static Transition apply(Change change, InstanceRecord record, RunId id) {
        return switch (change) {
            case ADMIT -> RunTransitions.admit(record, id, "ann", DEADLINE);
            case PICK -> RunTransitions.pick(record, id, "box", "boot", "attempt", IN_TIME, END);
            case PICK_LATE -> RunTransitions.pick(record, id, "box", "boot", "attempt", LATE, END);
            case CANCEL -> RunTransitions.cancel(record, id);
            case EXPIRE -> RunTransitions.expire(record, id, IN_TIME);
            case EXPIRE_LATE -> RunTransitions.expire(record, id, LATE);
            case FINISH -> RunTransitions.finish(record, id);
        };
    }

    private static InstanceRecord record(From from) {
        InstanceRecord record = Records.of("bill.example.com").withBox("box");
        ActiveRun queued = ActiveRun.queued(ID, "ann", DEADLINE);
        ActiveRun picked = queued.picked("box", "boot", "attempt", IN_TIME, END);
        return switch (from) {
            case NONE -> record;
            case QUEUED -> record.withActiveRun(queued);
            case PICKED_BY_US -> record.withActiveRun(picked);
            case PICKED_BY_AN_EARLIER_ATTEMPT ->
                record.withActiveRun(queued.picked("box", "boot", "before", IN_TIME, END));
            case PICKED_BY_AN_EARLIER_BOOT ->
                record.withActiveRun(queued.picked("box", "before", "attempt", IN_TIME, END));
            case PICKED_BY_ANOTHER_BOX ->
                record.withActiveRun(queued.picked("elsewhere", "boot", "attempt", IN_TIME, END));
            case CANCEL -> record.withActiveRun(picked.cancelling());
            case FINISHED -> record.withActiveRun(picked.done(Outcome.FINISHED));
            case CANCELLED -> record.withActiveRun(queued.done(Outcome.CANCELLED));
            case EXPIRED -> record.withActiveRun(queued.done(Outcome.EXPIRED));
        };
    }
}
