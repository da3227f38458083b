package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.BOUND;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.launch.LaunchOutcome.Reason;
import io.carlos.agent.launch.unit.InstanceGate.Admission;
import io.carlos.agent.launch.unit.InstanceGate.Ready;
import io.carlos.agent.launch.unit.InstanceGate.Refused;
import io.carlos.agent.launch.unit.InstanceGate.Stopped;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BoxInstanceGateTest {
    @TempDir
    private Path root;

    private InstanceWorld world;
    private final List<String> told = new CopyOnWriteArrayList<>();

    @BeforeEach
    void openWorld() throws Exception {
        world = new InstanceWorld(root);
    }

    @AfterEach
    void closeWorld() throws Exception {
        world.close();
    }

    private Admission admit() throws InterruptedException {
        return new BoxInstanceGate(world.instances).admit(A, told::add);
    }

    private void assertRefused(Reason reason, String detail) throws InterruptedException {
        Admission admission = admit();

        assertThat(admission).isInstanceOf(Refused.class);
        assertThat(((Refused) admission).reason()).isEqualTo(reason);
        assertThat(((Refused) admission).detail()).contains(detail);
    }

    @Test
    void a_command_may_run_beside_an_instance_that_was_stopped() throws Exception {
        world.stoppedA(Records.withEnvironment(record("a.example.com"), Map.of("COLOUR", "blue")));

        Admission admission = admit();

        assertThat(admission).isInstanceOf(Ready.class);
        assertThat(((Ready) admission).memory()).isEqualTo(MemoryTier.MIB_512);
        assertThat(((Ready) admission).environment()).isEqualTo(Map.of("COLOUR", "blue"));
        assertThat(world.data("")).isDirectory();
        assertThat(world.run("")).isDirectory();
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_command_wakes_an_instance_that_crashed() throws Exception {
        world.runningA();
        world.channel.newest().exit(3);
        world.awaitState(InstanceState.CRASHED);

        assertThat(admit()).isInstanceOf(Ready.class);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_host_that_the_box_does_not_have_is_refused() throws Exception {
        assertRefused(Reason.CLAIM, "a.example.com");
    }

    @Test
    void a_host_whose_record_is_gone_is_refused() throws Exception {
        world.rows(record("a.example.com"));
        world.pass();
        world.await(() -> world.instances.rows().isEmpty(), "no row");

        assertRefused(Reason.CLAIM, "a.example.com");
    }

    @Test
    void an_instance_without_units_is_refused() throws Exception {
        world.rows(Records.withIsolation(record("a.example.com"), Isolation.PODMAN));

        assertRefused(Reason.FLAT, "podman");
    }

    @Test
    void directories_that_cannot_be_made_are_a_refusal() throws Exception {
        world.stoppedA(record("a.example.com"));
        Files.writeString(world.paths.instanceRunStorage(InstanceWorld.ID), "in the way");

        assertRefused(Reason.FLAT, "no place on this box");
    }

    @Test
    void a_box_that_is_not_ready_is_a_refusal_with_the_line_that_failed() throws Exception {
        world.channel.probeFinds(ProbeReport.notReady("no fixture"));
        world.stoppedA(record("a.example.com"));

        assertRefused(Reason.WAKE, "no fixture");
    }

    @Test
    void a_refused_command_holds_nothing() throws Exception {
        world.channel.failNext("probe", Outcome.NOTHING_RUNS);
        world.stoppedA(record("a.example.com"));
        admit();

        world.stopA();

        assertThat(told).isEmpty();
    }

    @Test
    void a_command_is_told_when_its_instance_is_stopped() throws Exception {
        world.runningA();
        admit();

        world.stopA();

        assertThat(told).containsExactly("an operator stopped it");
    }

    @Test
    void a_command_that_was_released_is_told_nothing() throws Exception {
        world.runningA();
        Ready ready = (Ready) admit();
        ready.hold().release();
        ready.hold().release();

        world.stopA();

        assertThat(told).isEmpty();
        assertThat(world.channel.calls()).doesNotContain("stop cmd a.example.com");
    }

    @Test
    void no_command_starts_beside_an_instance_that_is_being_stopped() throws Exception {
        world.runningA();
        CompletableFuture<Admission> admission = new CompletableFuture<>();
        assertThat(world.instances.lane(A).turn().commands().hold(reason -> {
                    try {
                        admission.complete(admit());
                    } catch (InterruptedException e) {
                        admission.completeExceptionally(e);
                    }
                }))
                .isPresent();

        world.stopA();

        assertThat(admission.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Stopped("an operator stopped it"));
    }
}
