package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.StartFailedException;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which machines there may be, and what they may take. */
@Timeout(120)
class AdmissionTest {
    @TempDir
    private Path directory;

    @Test
    void machineWithoutPermissionIsNotMadeAndTheObjectionTold() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, () -> Optional.of("the credentials are in reach"))) {
            assertThatThrownBy(world::create)
                    .isInstanceOf(ContainerException.class)
                    .hasMessageContaining("the credentials are in reach");
            assertThat(world.runtime().exists("one")).isFalse();
            assertThat(directory.resolve("run/microvm")).isEmptyDirectory();
        }
    }

    @Test
    void machineForWhichThereIsNoRoomIsBootedOnceAnotherIsRemoved() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, 1);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            ContainerId first = world.started();
            ContainerId second = world.create("two");
            Future<?> start = startThatWaits(world, second, threads);
            assertThat(world.processes(second)).isEmpty();

            world.runtime().remove(first);
            start.get();

            assertThat(world.processes(second)).isNotEmpty();
            world.runtime().close();
        }
    }

    /** Returns when it waits for room. */
    private static Future<?> startThatWaits(StandInWorld world, ContainerId id, ExecutorService threads)
            throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        Future<?> start = threads.submit(() -> {
            world.runtime().start(id, () -> {
                waits.countDown();
                return true;
            });
            return null;
        });
        waits.await();
        return start;
    }

    @Test
    void machineThatIsWantedNoMoreStopsWaitingForRoomAndTakesNone() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, 1)) {
            ContainerId first = world.started();
            ContainerId second = world.create("two");

            assertThatThrownBy(() -> world.runtime().start(second, () -> false))
                    .isInstanceOf(ContainerException.class)
                    .hasMessageContaining("given up while it waited for room: it is not wanted any more");

            world.runtime().remove(first);
            world.runtime().start(second);
            assertThat(world.processes(second)).isNotEmpty();
            world.runtime().close();
        }
    }

    @Test
    void machineThatWasStoppedTakesNoRoom() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, 1)) {
            world.runtime().stop(world.started(), Duration.ZERO);

            ContainerId second = world.create("two");
            world.runtime().start(second);

            assertThat(world.processes(second)).isNotEmpty();
            world.runtime().close();
        }
    }

    @Test
    void machineThatHasDiedOrDidNotBootTakesNoRoom() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, 1)) {
            ContainerId dead = world.started();
            ProcessHandle.of(world.pid(dead, "machine")).orElseThrow().destroyForcibly();
            ContainerId second = world.create("two");
            world.runtime().start(second);
            world.runtime().stop(second, Duration.ZERO);

            world.machine("exit 1").guest(nonce -> () -> {
                throw ScriptedGuest.silent();
            });
            ContainerId third = world.create("three");
            assertThatThrownBy(() -> world.runtime().start(third)).isInstanceOf(StartFailedException.class);

            assertThat(world.runtime().machines()).isZero();
            world.runtime().close();
        }
    }

    @Test
    void machineThatRunsIsNotStartedAgainNorWaitsForRoom() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, 1)) {
            ContainerId id = world.started();

            assertThatThrownBy(() -> world.runtime().start(id)).hasMessageContaining("it runs already");

            assertThat(world.runtime().machines()).isEqualTo(1);
            world.runtime().close();
        }
    }

    @Test
    void machineIsBootedAheadOfNeedOnlyWhereThereIsRoom() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, 1)) {
            WarmMicroVms warm = new WarmMicroVms(world.runtime(), 1000, Map.of());
            assertThat(warm.hasRoom()).isTrue();
            world.started();

            assertThat(warm.hasRoom()).isFalse();
            assertThatThrownBy(warm::boot).hasMessageContaining("there is no room to spare");
            assertThat(directory.resolve("run/microvm").toFile().list()).hasSize(1);
            world.runtime().close();
        }
    }

    @Test
    void machineThatIsStoppedStopsWaitingForRoom() throws Exception {
        try (StandInWorld world = new StandInWorld(directory, 1);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            world.started();
            ContainerId second = world.create("two");
            Future<?> start = startThatWaits(world, second, threads);
            world.runtime().stop(second, Duration.ZERO);

            assertThatThrownBy(start::get).hasMessageContaining("given up while it waited for room: it was stopped");
            world.runtime().close();
        }
    }

    @Test
    void closedRuntimeMakesNoMore() throws Exception {
        try (StandInWorld world = new StandInWorld(directory)) {
            world.runtime().close();

            assertThatThrownBy(world::create).hasMessageContaining("the runtime is closed");
            assertThat(world.runtime().exists("one")).isFalse();
            assertThat(directory.resolve("run/microvm")).isEmptyDirectory();
        }
    }

    @Test
    void programsGiveWayToTheAgentAndAreKilledBeforeItWithWhatTheyStarted() throws Exception {
        Path forked = directory.resolve("forked");
        try (StandInWorld world = new StandInWorld(directory)
                .helper("virtiofsd", "sleep 3909 & : >" + forked + "; wait")
                .guest(nonce -> () -> new Guest.Health("1", true, Files.exists(forked), nonce))) {
            List<ProcessStat> processes = world.processes(world.started());
            int own = nice("self");

            assertThat(processes).hasSize(3);
            for (ProcessStat process : processes) {
                assertThat(Path.of("/proc/" + process.pid() + "/oom_score_adj")).hasContent("500\n");
                assertThat(nice(Integer.toString(process.pid()))).isEqualTo(Math.max(own, 5));
            }
            world.runtime().close();
        }
    }

    private static int nice(String process) throws Exception {
        String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
    }

    @Test
    void strayEntryIsLeftAndKeepsNobodyFromStarting() throws Exception {
        Path stray = Files.createDirectories(
                directory.resolve("run/microvm/lost+found"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

        new StandInWorld(directory).close();

        assertThat(stray).isDirectory();
    }

    @Test
    void placeThatOthersMayEnterIsRefused() throws Exception {
        Path sessions = Files.createDirectories(directory.resolve("run/microvm"));
        Files.setPosixFilePermissions(sessions, PosixFilePermissions.fromString("rwxr-x---"));

        assertThatThrownBy(() -> new StandInWorld(directory))
                .hasMessageContaining(sessions + " is a directory of uid ")
                .hasMessageContaining("with mode rwxr-x---");
    }

    @Test
    void placeThatIsALinkIsRefused() throws Exception {
        Path elsewhere = Files.createDirectories(
                directory.resolve("elsewhere"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectories(directory.resolve("run"));
        Files.createSymbolicLink(directory.resolve("run/microvm"), elsewhere);

        assertThatThrownBy(() -> new StandInWorld(directory)).hasMessageContaining("no directory");
    }

    @Test
    void boxThatMakesNoMoreMachinesEndsThoseThatWereLeft() throws Exception {
        try (StandInWorld world = new StandInWorld(directory)) {
            ContainerId id = world.started();

            MicroVmRuntime.clean(directory.resolve("run"));

            assertThat(world.processes(id)).isEmpty();
            assertThat(world.directory(id)).doesNotExist();
        }
    }

    @Test
    void boxThatNeverMadeMachinesHasNothingToEnd() throws Exception {
        MicroVmRuntime.clean(directory.resolve("run"));

        assertThat(directory.resolve("run")).doesNotExist();
    }

    @Test
    void networkThatHidesItsEnvironmentAndWasNotWrittenDownIsEnded() throws Exception {
        try (StandInWorld world = new StandInWorld(directory)) {
            ContainerId id = world.create();
            String socket = world.directory(id).resolve("net").toString();
            ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", "read line", "passt", socket);
            Process passt = builder.start();
            assertThat(ProcFs.commandLine((int) passt.pid())).contains(socket);

            MicroVmRuntime.clean(directory.resolve("run"));

            assertThat(passt.waitFor()).isEqualTo(128 + 9);
        }
    }
}
