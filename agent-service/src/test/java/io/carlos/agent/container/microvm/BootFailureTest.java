package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.StartFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a start can fail; whichever it is, nothing may be left. */
@Timeout(120)
class BootFailureTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    /** Two helpers, of which one is as told and the other as it should be. */
    private static StandInWorld with(StandInWorld world, String name, String script) {
        List.of("virtiofsd", "passt")
                .forEach(helper -> world.helper(helper, helper.equals(name) ? script : StandInWorld.WAITS));
        return world;
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtiofsd", "passt"})
    void helperThatIsMissingIsNamedWithItsPath(String name) throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory), name, "/no/such/helper")) {
            StartFailedException failure = world.failure();
            assertThat(failure.step()).isEqualTo(name);
            assertThat(failure).hasMessageContaining("/no/such/helper");
            assertThat(world.boots()).containsExactly("failed");
        }
    }

    @Test
    void helperThatEndsAtOnceIsQuoted() throws Exception {
        try (StandInWorld world =
                with(new StandInWorld(directory).deaf(), "virtiofsd", "echo no such directory >&2; exit 3")) {
            StartFailedException failure = world.failure();
            assertThat(failure.step()).isEqualTo("virtiofsd");
            assertThat(failure)
                    .hasMessageContaining("virtiofsd ended with status 3 before it listened")
                    .hasMessageContaining("no such directory");
        }
    }

    @Test
    void helperThatNeverListensHasItsBound() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory, SHORT, LONG).deaf(), "none", "")) {
            StartFailedException failure = world.failure();
            assertThat(failure.step()).isEqualTo("virtiofsd");
            assertThat(failure).hasMessageContaining("200 ms passed before it listened");
        }
    }

    @Test
    void helperThatEndsWhileTheGuestBootsFailsTheBoot() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory), "passt", "exit 5")
                .guest(nonce -> () -> {
                    throw ScriptedGuest.silent();
                })) {
            StartFailedException failure = world.failure();
            assertThat(failure.step()).isEqualTo(Boot.GUEST);
            assertThat(failure).hasMessageContaining("passt ended with status 5 while the guest booted");
        }
    }

    @Test
    void monitorThatIsMissingIsNamedWithItsPath() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory), "none", "").machine("/no/such/monitor")) {
            assertThat(world.failure()).hasMessageContaining("/no/such/monitor");
        }
    }

    @Test
    void monitorThatEndsIsQuotedWithTheConsole() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory), "none", "")
                .machine("echo 'carlos-guest: network: no lease'; exit 0")
                .guest(nonce -> () -> {
                    throw ScriptedGuest.silent();
                })) {
            StartFailedException failure = world.failure();
            assertThat(failure.step()).isEqualTo(Boot.GUEST);
            assertThat(failure)
                    .hasMessageContaining("machine ended with status 0 while the guest booted")
                    .hasMessageContaining("carlos-guest: network: no lease");
        }
    }

    @Test
    void guestThatNeverAnswersHasTheBudgetAndTheConsoleIsQuoted() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory, LONG, SHORT), "none", "")
                .guest(nonce -> () -> {
                    throw ScriptedGuest.silent();
                })) {
            assertThat(world.failure())
                    .hasMessageContaining("not ready within 200 ms: nobody is there")
                    .hasMessageContaining("booting");
        }
    }

    @Test
    void guestWithoutNetworkIsNotReady() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory, LONG, SHORT), "none", "")
                .guest(nonce -> () -> new Guest.Health("1", false, true, nonce))) {
            assertThat(world.failure()).hasMessageContaining("its network is not up");
        }
    }

    @Test
    void guestWithoutWorkspaceIsNotReady() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory, LONG, SHORT), "none", "")
                .guest(nonce -> () -> new Guest.Health("1", true, false, nonce))) {
            assertThat(world.failure()).hasMessageContaining("its workspace is not mounted");
        }
    }

    @Test
    void guestOfAnotherBootIsNotTaken() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory), "none", "")
                .guest(nonce -> () -> new Guest.Health("1", true, true, new byte[16]))) {
            assertThat(world.failure().step()).isEqualTo(Boot.NONCE);
        }
    }

    @Test
    void refusedProvisionEndsTheMachine() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory), "none", "").guest(RefusesProvision::new)) {
            StartFailedException failure = world.failure();
            assertThat(failure.step()).isEqualTo(Session.PROVISION);
            assertThat(failure).hasMessageContaining("provisioned already");
        }
    }

    private record RefusesProvision(byte[] nonce) implements ScriptedGuest.Answers {
        @Override
        public Guest.Health health() {
            return new Guest.Health("1", true, true, nonce);
        }

        @Override
        public void provision() throws CommandException {
            throw StandInWorld.refused();
        }
    }

    @Test
    void programThatCannotBeWrittenDownFailsTheStartAndIsKilled() throws Exception {
        try (StandInWorld world = with(new StandInWorld(directory), "none", "")) {
            ContainerId id = world.create();
            Path obstacle = Files.createDirectory(world.directory(id).resolve("session.json.new"));
            StartFailedException failure = catchThrowableOfType(
                    StartFailedException.class, () -> world.runtime().start(id));
            assertThat(failure.step()).isEqualTo("virtiofsd");
            assertThat(failure).hasMessageContaining("session.json.new");
            Files.delete(obstacle);
            world.assertNothingRuns(id);
            world.runtime().remove(id);
        }
    }

    @Test
    void removalDuringTheBootEndsIt() throws Exception {
        CountDownLatch booting = new CountDownLatch(1);
        try (StandInWorld world = with(new StandInWorld(directory), "none", "").guest(nonce -> () -> {
                    booting.countDown();
                    throw ScriptedGuest.silent();
                });
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ContainerId id = world.create();
            Future<?> start = threads.submit(() -> {
                world.runtime().start(id);
                return null;
            });
            booting.await();
            world.runtime().remove(id);
            assertThatThrownBy(start::get).cause().isInstanceOf(ContainerException.class);
            assertThat(world.processes(id)).isEmpty();
            assertThat(Files.exists(world.directory(id))).isFalse();
        }
    }

    @Test
    void startThatIsWantedNoMoreEndsAndLeavesNothing() throws Exception {
        CountDownLatch booting = new CountDownLatch(1);
        try (StandInWorld world = with(new StandInWorld(directory), "none", "").guest(nonce -> () -> {
            booting.countDown();
            throw ScriptedGuest.silent();
        })) {
            ContainerId id = world.create();
            assertThatThrownBy(() -> world.runtime().start(id, () -> booting.getCount() > 0))
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("it was given up meanwhile");
            world.assertNothingRuns(id);
        }
    }

    @Test
    void interruptedStartLeavesNothing() throws Exception {
        CountDownLatch booting = new CountDownLatch(1);
        try (StandInWorld world = with(new StandInWorld(directory), "none", "").guest(nonce -> () -> {
            booting.countDown();
            throw ScriptedGuest.silent();
        })) {
            ContainerId id = world.create();
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            Future<?> start = threads.submit(() -> {
                world.runtime().start(id);
                return null;
            });
            booting.await();
            threads.shutdownNow();
            assertThatThrownBy(start::get).cause().isInstanceOf(InterruptedException.class);
            world.assertNothingRuns(id);
        }
    }
}
