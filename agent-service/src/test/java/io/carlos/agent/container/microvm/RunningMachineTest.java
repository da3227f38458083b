package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ExecSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a machine that is up. */
@Timeout(120)
class RunningMachineTest {
    @TempDir
    private Path directory;

    private final CountDownLatch commandStarted = new CountDownLatch(1);
    private final AtomicReference<Runnable> onStop = new AtomicReference<>(() -> {});
    private StandInWorld world;

    @BeforeEach
    void open() throws Exception {
        world = new StandInWorld(directory)
                .helper("virtiofsd", StandInWorld.WAITS)
                .helper("passt", StandInWorld.WAITS)
                .guest(Listening::new);
    }

    @AfterEach
    void close() throws Exception {
        world.runtime().close();
        world.close();
    }

    private final class Listening implements ScriptedGuest.Answers {
        private final byte[] nonce;

        Listening(byte[] nonce) {
            this.nonce = nonce;
        }

        @Override
        public Guest.Health health() {
            return new Guest.Health("1", true, true, nonce);
        }

        @Override
        public void stop() {
            onStop.get().run();
        }

        @Override
        public void commandStarted() {
            commandStarted.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtiofsd", "passt", "machine"})
    void programThatEndsFailsTheMachineAndItsCommandsSayWhichItWas(String program) throws Exception {
        ContainerId id = world.started();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<CommandException> failure = threads.submit(() -> catchThrowableOfType(
                    CommandException.class, () -> world.runtime().exec(id, ExecSpec.of("anything"))));
            commandStarted.await();
            kill(world.pid(id, program));
            assertThat(failure.get().reason()).isEqualTo(Reason.TRANSPORT);
            assertThat(failure.get()).hasMessageContaining(program + " was killed by signal 9 while the machine ran");
        }
        CommandException later = refusalOf(id);
        assertThat(later.reason()).isEqualTo(Reason.NOT_READY);
        assertThat(later).hasMessageContaining(program + " was killed by signal 9");
        world.runtime().stop(id, Duration.ZERO);
        world.assertNothingRuns(id);
    }

    @Test
    void programThatEndsInTheProvisionIsNamedAlsoLater() throws Exception {
        ContainerId id = world.create();
        world.guest(nonce -> new LosingItsNetwork(nonce, id));
        String why = "passt was killed by signal 9 while the machine ran";
        assertThatThrownBy(() -> world.runtime().start(id)).hasMessageContaining(why);
        assertThat(world.runtime().whyEnded(id)).contains(why);
        world.assertNothingRuns(id);
    }

    private final class LosingItsNetwork implements ScriptedGuest.Answers {
        private final byte[] nonce;
        private final ContainerId id;

        LosingItsNetwork(byte[] nonce, ContainerId id) {
            this.nonce = nonce;
            this.id = id;
        }

        @Override
        public Guest.Health health() {
            return new Guest.Health("1", true, true, nonce);
        }

        @Override
        public void provision() throws CommandException {
            try {
                kill(world.pid(id, "passt"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            world.awaitEnd(id);
            throw ScriptedGuest.silent();
        }
    }

    private static void kill(int pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    @Test
    void guestThatSwitchesItselfOffWhenAskedIsNotKilledBefore() throws Exception {
        world.machine("trap 'echo off > off; exit 0' TERM; echo trapped; while :; do sleep 0.05; done");
        ContainerId id = world.started();
        int machine = world.pid(id, "machine");
        awaitLine(world.directory(id).resolve("machine.log"), "trapped");
        onStop.set(() -> ProcessHandle.of(machine).orElseThrow().destroy());
        world.runtime().stop(id, Duration.ofSeconds(60));
        assertThat(world.directory(id).resolve("off")).hasContent("off\n");
        assertThat(refusalOf(id)).hasMessageContaining("it was stopped: it switched itself off");
        Files.delete(world.directory(id).resolve("off"));
        world.assertNothingRuns(id);
    }

    private static void awaitLine(Path log, String line) throws Exception {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!Files.readString(log).contains(line)) {
            assertThat(System.nanoTime()).as("%s has no line %s", log, line).isLessThan(until);
            Thread.onSpinWait();
        }
    }

    @Test
    void guestThatDoesNotSwitchItselfOffIsKilled() throws Exception {
        ContainerId id = world.started();
        world.runtime().stop(id, Duration.ofMillis(100));
        assertThat(refusalOf(id)).hasMessageContaining("did not switch itself off: machine runs");
        world.assertNothingRuns(id);
    }

    @Test
    void monitorThatDiesInAStopIsNoPowerOff() throws Exception {
        ContainerId id = world.started();
        int machine = world.pid(id, "machine");
        onStop.set(() -> kill(machine));
        world.runtime().stop(id, Duration.ofSeconds(60));
        assertThat(refusalOf(id)).hasMessageContaining("did not switch itself off: machine was killed by signal 9");
        world.assertNothingRuns(id);
    }

    private CommandException refusalOf(ContainerId id) {
        return catchThrowableOfType(
                CommandException.class, () -> world.runtime().exec(id, ExecSpec.of("anything")));
    }

    @Test
    void guestThatCannotBeAskedIsKilledAtOnce() throws Exception {
        world.guest(Deaf::new);
        ContainerId id = world.started();
        world.runtime().stop(id, Duration.ofDays(1));
        assertThat(refusalOf(id)).hasMessageContaining("it could not be asked");
        world.assertNothingRuns(id);
    }

    private record Deaf(byte[] nonce) implements ScriptedGuest.Answers {
        @Override
        public Guest.Health health() {
            return new Guest.Health("1", true, true, nonce);
        }

        @Override
        public void stop() throws CommandException {
            throw ScriptedGuest.silent();
        }
    }

    @Test
    void programsLeadSessionsOfTheirOwn() throws Exception {
        ContainerId id = world.started();
        assertThat(world.processes(id)).hasSize(3).allMatch(process -> process.session() == process.pid());
    }

    @Test
    void sessionsAreForTheirOwnerOnly() throws Exception {
        ContainerId id = world.create();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(world.directory(id))))
                .isEqualTo("rwx------");
    }

    @Test
    void nextAgentEndsWhatThisOneLeft() throws Exception {
        ContainerId id = world.started();
        assertThat(world.processes(id)).isNotEmpty();
        new StandInWorld(directory).close();
        assertThat(world.processes(id)).isEmpty();
        assertThat(Files.exists(world.directory(id))).isFalse();
    }

    @Test
    void nextAgentFindsProgramsThatWereNotWrittenDown() throws Exception {
        ContainerId id = world.started();
        Files.delete(world.directory(id).resolve("session.json"));
        new StandInWorld(directory).close();
        assertThat(world.processes(id)).isEmpty();
    }

    @Test
    void nextAgentLeavesWhoeverHasAnOldNumberAlone() throws Exception {
        ContainerId id = world.create();
        Process stranger = new ProcessBuilder("sleep", "3910").start();
        try {
            SessionRecord.of("one", directory, List.of(new SessionRecord.Started("qemu", (int) stranger.pid(), 1)))
                    .write(SessionDirectory.of(world.directory(id).getParent(), id));
            new StandInWorld(directory).close();
            assertThat(stranger.isAlive()).isTrue();
            assertThat(Files.exists(world.directory(id))).isFalse();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void machineIsOnUntilItIsStopped() throws Exception {
        ContainerId id = world.started();
        assertThat(world.boots()).containsExactly("ready");
        assertThat(world.runtime().machines()).isEqualTo(1);

        world.runtime().stop(id, Duration.ZERO);
        assertThat(world.runtime().machines()).isZero();
    }
}
