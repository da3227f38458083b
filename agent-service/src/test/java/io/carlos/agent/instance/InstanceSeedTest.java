package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.BOUND;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.instance.OperationOutcome.Done;
import io.carlos.agent.instance.OperationOutcome.Failed;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.Role;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first content of an instance comes before its first start, once. */
@Timeout(120)
class InstanceSeedTest {
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

    private static InstanceRecord seeded(Seed.Kind kind, Seed.State state) {
        return Records.withSeed(record("a.example.com"), new Seed(kind, state));
    }

    private void assertSeedFailed(String reason) throws Exception {
        world.stoppedA(seeded(Seed.Kind.FRESH, Seed.State.PLACED));

        OperationOutcome outcome = world.startA();

        assertThat(outcome).isInstanceOf(Failed.class);
        assertThat(((Failed) outcome).reason()).contains(reason);
        assertThat(world.channel.calls()).doesNotContain("start run a.example.com");
        assertThat(world.rowA().seedCommitted()).isFalse();
        assertThat(world.commits).isEmpty();
        world.assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(Seed.Kind.class)
    void a_seed_that_is_placed_runs_before_the_program(Seed.Kind kind) throws Exception {
        world.stoppedA(seeded(kind, Seed.State.PLACED));

        assertThat(world.startA()).isInstanceOf(Done.class);

        assertThat(world.channel.calls()).containsExactly("seed a.example.com", "start run a.example.com");
        assertThat(world.rowA().seedCommitted()).isTrue();
    }

    @Test
    void the_seed_is_the_program_with_its_role() throws Exception {
        world.channel.program(Role.SEED, unit -> {
            assertThat(unit.launch().argv()).containsExactly(root + "/opt/carlos/live/a.example.com", "seed");
            assertThat(unit.launch().env()).contains("CARLOS_ROLE=seed");
            unit.exit(0);
        });
        world.stoppedA(seeded(Seed.Kind.FRESH, Seed.State.PLACED));

        assertThat(world.startA()).isInstanceOf(Done.class);
        assertThat(world.data("launch.seed.json")).doesNotExist();
    }

    @Test
    void a_fresh_seed_that_succeeded_is_committed_in_its_record() throws Exception {
        world.stoppedA(seeded(Seed.Kind.FRESH, Seed.State.PLACED));

        world.startA();

        world.await(() -> !world.commits.isEmpty(), "the commit");
        assertThat(world.commits).containsExactly(record("a.example.com").ref());
    }

    @Test
    void an_import_is_committed_by_whoever_imports() throws Exception {
        world.stoppedA(seeded(Seed.Kind.IMPORT, Seed.State.PLACED));

        world.startA();
        world.awaitQuiet();

        assertThat(world.commits).isEmpty();
    }

    @Test
    void a_committed_seed_is_not_run() throws Exception {
        world.stoppedA(seeded(Seed.Kind.FRESH, Seed.State.COMMITTED));

        world.startA();

        assertThat(world.channel.calls()).containsExactly("start run a.example.com");
    }

    @Test
    void a_seed_that_succeeded_is_not_run_again_though_the_record_never_learnt_of_it() throws Exception {
        world.stoppedA(seeded(Seed.Kind.FRESH, Seed.State.PLACED));
        world.startA();
        world.stopA();
        world.restartAgent();
        world.instances.begin();

        world.startA();

        assertThat(world.channel.calls()).containsOnlyOnce("seed a.example.com");
    }

    @Test
    void a_pass_that_still_sees_it_placed_commits_it_again() throws Exception {
        InstanceRecord record = seeded(Seed.Kind.FRESH, Seed.State.PLACED);
        world.stoppedA(record);
        world.startA();
        world.await(() -> world.commits.size() == 1, "the first commit");

        world.pass(record);

        world.await(() -> world.commits.size() == 2, "the second commit");
    }

    @Test
    void a_seed_that_exits_with_another_status_is_a_failed_start() throws Exception {
        world.channel.program(Role.SEED, unit -> unit.exit(4));

        assertSeedFailed("its seed exited with 4");
    }

    @Test
    void a_seed_that_systemd_calls_a_success_and_that_never_ran_is_a_failed_start() throws Exception {
        world.channel.program(Role.SEED, PlayedUnit::vanish);

        assertSeedFailed("its seed was never started");
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout", "oom-kill"})
    void a_seed_that_systemd_ended_is_a_failed_start_though_it_exited_with_0(String result) throws Exception {
        world.channel.seedsEndWith(result);

        assertSeedFailed("(systemd: " + result + ")");
    }

    @Test
    void a_seed_that_was_killed_is_a_failed_start() throws Exception {
        world.channel.program(Role.SEED, unit -> {
            unit.status(StatusFile.Cause.KILLED, 9);
            unit.vanish();
        });

        assertSeedFailed("its seed was killed by signal 9 (SIGKILL)");
    }

    @Test
    void a_seed_that_the_control_service_does_not_start_is_a_failed_start() throws Exception {
        world.channel.failNext("seed", Outcome.MAY_RUN);

        assertSeedFailed("the control service did not start it");
        assertThat(world.channel.calls()).contains("stop seed a.example.com");
    }

    @Test
    void a_stop_cuts_a_seed_short_which_does_not_count_though_it_exits_with_0() throws Exception {
        world.channel.program(Role.SEED, PlayedUnit::comeToRun);
        world.stoppedA(seeded(Seed.Kind.FRESH, Seed.State.PLACED));
        CompletableFuture<OperationOutcome> start = world.instances.start(A);
        world.await(() -> !world.channel.running().isEmpty(), "the seed");

        assertThat(world.stopA()).isInstanceOf(Done.class);

        assertThat(start.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(new Failed(A, "it was stopped while it started"));
        assertThat(world.rowA().seedCommitted()).isFalse();
        world.assertNothingLeft();
    }
}
