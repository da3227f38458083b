package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunResult;
import io.carlos.model.testing.Seeded;
import io.carlos.model.time.OneProcess;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of a run's steps, and that each is repeated until it holds. */
class RunExecutionOrderTest {
    private static final List<String> STEPS =
            List.of("picked", "stage", "out/0000000001-o", "out/0000000002-e", "result.json", "done", "remove");

    private final WorkerWorld world = new WorkerWorld();

    @Test
    void a_run_is_picked_staged_executed_stored_with_its_result_last_and_cleared_away() throws Exception {
        RunResult result = playTwoWrites(world);

        assertThat(world.journal()).isEqualTo(STEPS);
        assertThat(result.lastSeq()).isEqualTo(2);
        assertThat(world.chunk("0000000001-o")).isEqualTo("out");
        assertThat(world.chunk("0000000002-e")).isEqualTo("err");
    }

    record Told(Call call, Predicate<String> subject, Fault fault, String name) {
        @Override
        public String toString() {
            return name + " " + fault;
        }
    }

    static Stream<Told> failures() {
        return Stream.of(
                        told(Call.GET, "request.json", Fault.UNAVAILABLE),
                        told(Call.GET, "a.example.com.json", Fault.UNAVAILABLE),
                        tellPuts("a.example.com.json"),
                        tellPuts("0000000001-o"),
                        tellPuts("0000000002-e"),
                        tellPuts("result.json"))
                .flatMap(told -> told);
    }

    private static Stream<Told> tellPuts(String end) {
        return EnumSet.complementOf(EnumSet.of(Fault.REFUSED)).stream().flatMap(fault -> told(Call.PUT, end, fault));
    }

    private static Stream<Told> told(Call call, String end, Fault fault) {
        return Stream.of(new Told(call, key -> key.endsWith(end), fault, call + " " + end));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void a_step_that_fails_once_is_repeated_and_changes_nothing(Told told) throws Exception {
        world.runs().store().failNext(told.call(), told.subject(), told.fault());

        RunResult result = playTwoWrites(world);

        assertThat(world.runs().store().outstanding()).isZero();
        assertThat(world.journal()).isEqualTo(STEPS);
        assertThat(result.exit()).isEqualTo(7);
        assertThat(world.launcher().requests()).hasSize(1);
    }

    @Test
    void a_staging_that_fails_by_the_disk_is_repeated() throws Exception {
        world.directories().failCalls(3);

        playTwoWrites(world);

        assertThat(world.journal().subList(0, 6))
                .containsExactly("picked", "stage", "stage", "stage", "stage", "out/0000000001-o");
        assertThat(world.launcher().requests()).hasSize(1);
    }

    @Test
    void a_done_that_fails_for_minutes_is_repeated_until_it_holds() throws Exception {
        world.launcher().script(command -> {
            for (int i = 0; i < 40; i++) {
                world.runs().store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.UNAVAILABLE);
            }
        });

        world.play();

        assertThat(world.runs().run().state()).isEqualTo(State.DONE);
        assertThat(world.journal()).containsExactly("picked", "stage", "result.json", "done", "remove");
    }

    @Test
    void a_result_that_is_not_durable_for_hours_leaves_the_record_open_until_it_is() throws Exception {
        world.launcher().script(command -> {
            for (int i = 0; i < 10_000; i++) {
                world.runs().store().failNext(Call.PUT, key -> key.endsWith("result.json"), Fault.UNAVAILABLE);
            }
        });

        world.play();

        assertThat(world.runs().run().state()).isEqualTo(State.DONE);
        assertThat(world.journal()).endsWith("picked", "result.json", "done", "remove"); // picked: it was renewed
    }

    @Test
    void a_directory_that_cannot_be_removed_does_not_keep_the_run_open() throws Exception {
        world.launcher().script(command -> world.directories().failCalls(1));

        world.play();

        assertThat(world.runs().run().state()).isEqualTo(State.DONE);
        assertThat(world.worker().executing()).isEmpty();
    }

    @Test
    void whatever_the_store_does_the_steps_keep_their_order_and_the_command_runs_once() {
        Seeded.check(60, random -> {
            WorkerWorld seeded = new WorkerWorld(WorkerWorld.RECORD, new OneProcess(random.nextLong()));
            seeded.runs()
                    .store()
                    .failAtRandom(
                            random.nextLong(),
                            0.4,
                            Fault.UNAVAILABLE,
                            Fault.AMBIGUOUS_DONE,
                            Fault.AMBIGUOUS_NOT_DONE,
                            Fault.CONFLICT);

            RunResult result = playTwoWrites(seeded);

            assertThat(seeded.journal()).isEqualTo(STEPS);
            assertThat(result.exit()).isEqualTo(7);
            assertThat(seeded.launcher().requests()).hasSize(1);
        });
    }

    private static RunResult playTwoWrites(WorkerWorld world) throws Exception {
        world.launcher().script(command -> {
            command.endsBy(new CommandEnd.Exited(7, ""));
            command.print(OutputChannel.STDOUT, "out");
            command.sleep(Duration.ofSeconds(3));
            command.print(OutputChannel.STDERR, "err");
        });
        return world.play();
    }
}
