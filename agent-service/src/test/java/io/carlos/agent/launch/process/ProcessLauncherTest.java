package io.carlos.agent.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.PlainCommandContract;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.launch.SlowingSink;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.runs.OutputChannel;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract, and what only plain child processes promise. */
class ProcessLauncherTest extends PlainCommandContract {
    @Override
    protected RunLauncher launcher(Duration drainBound) {
        return new ProcessLauncher(drainBound);
    }

    @Override
    protected boolean isAlive(int pid) throws IOException {
        return ProcFs.stat(pid).filter(process -> !process.isDead()).isPresent();
    }

    @Override
    protected int manyRuns() {
        return 200;
    }

    @Test
    void commandThatASinkSlowsDownCanBeStopped() throws Exception {
        SlowingSink slowing = new SlowingSink();
        Running running = start(launcher(BOUND), request(Map.of(), "yes"), slowing);
        slowing.awaitCaller();
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Killed(15, ""));
    }

    @Test
    void processThatEscapedAndHoldsTheOutputDoesNotHoldTheStop() throws Exception {
        Running running = shell(
                SHORT,
                "(env -i setsid sh -c 'echo $$ > new; mv new pid; exec sleep 1000' &); "
                        + "until [ -e pid ]; do sleep 0.01; done; echo done");
        CommandEnd end = running.finish();
        int escaped = pidIn(running.directory().resolve("pid"));
        try {
            assertThat(end.note()).contains("could not be found or stopped").contains("is read no further");
            assertThat(running.sink().stdout()).isEqualTo("done\n");
            assertThat(isAlive(escaped)).isTrue();
        } finally {
            ProcessHandle.of(escaped).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void failedLaunchNamesTheRunAndNothingOfItsArguments() throws Exception {
        LaunchRequest request = request(Map.of(), "secret\nERROR forged");
        Files.delete(request.runDirectory());

        LaunchOutcome outcome = launcher(BOUND).launch(request, new RecordingSink());

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        LaunchOutcome.Failed.class,
                        failed -> assertThat(failed.message() + failed.cause().getMessage())
                                .contains(request.id().value())
                                .doesNotContain("secret", "forged"));
    }

    @Test
    void treeThatStillGrowsIsKilledToTheLast() throws Exception {
        LaunchRequest request = request(Map.of(), "sh", "grow", "6");
        Files.writeString(request.runDirectory().resolve("grow"), """
                if [ "$1" -gt 0 ]; then
                  setsid sh grow $(($1 - 1)) &
                  (setsid sh grow $(($1 - 1)) &)
                fi
                echo "$1"
                exec sleep 1000
                """);
        Running running = start(launcher(BOUND), request, new RecordingSink());
        running.sink().awaitStdout("3", BOUND);
        assertThat(running.run().stop(Duration.ZERO)).isInstanceOf(CommandEnd.Killed.class);
        assertThat(withRunDirectory(request.runDirectory())).isEmpty();
    }

    private static List<ProcessStat> withRunDirectory(Path directory) throws IOException {
        List<ProcessStat> found = new ArrayList<>();
        for (ProcessStat process : ProcFs.processes()) {
            if (ProcFs.environmentVariable(process.pid(), "CARLOS_RUN_DIR")
                    .filter(directory.toString()::equals)
                    .isPresent()) {
                found.add(process);
            }
        }
        return found;
    }

    @Test
    void settledRunsLeaveNoDescriptorThreadOrZombie() throws Exception {
        shell("exit 0").finish();
        List<String> before = pipesAndEvents();
        List<Integer> children = pids(childrenOfThisJvm()); // servers of other tests
        Running ended = shell("echo out; echo err >&2");
        Running stopped = start("sleep", "1000");
        Running givenUp = start(launcher(BOUND), request(Map.of(), "yes"), new RecordingSink() {
            @Override
            public void write(OutputChannel channel, byte[] bytes, int offset, int length) throws InterruptedException {
                throw new InterruptedException("the run is given up");
            }
        });
        ended.finish();
        stopped.run().stop(LONG_GRACE);
        givenUp.run().stop(LONG_GRACE);
        assertThat(pipesAndEvents()).isEqualTo(before);
        assertThat(pids(childrenOfThisJvm())).isEqualTo(children);
        await(
                "the runs' threads end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("run_")));
    }

    private static List<Integer> pids(Stream<ProcessStat> processes) {
        return processes.map(ProcessStat::pid).sorted().toList();
    }

    private static List<String> pipesAndEvents() throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                String target = Files.exists(descriptor) || Files.isSymbolicLink(descriptor)
                        ? Files.readSymbolicLink(descriptor).toString()
                        : "";
                if (target.startsWith("pipe:") || target.startsWith("anon_inode:")) {
                    found.add(descriptor.getFileName() + " " + target);
                }
            }
        }
        return found;
    }

    private static Stream<ProcessStat> childrenOfThisJvm() throws IOException {
        int self = (int) ProcessHandle.current().pid();
        return ProcFs.processes().stream().filter(process -> process.parent() == self);
    }

    @Test
    void childrenOfTheJdkKeepTheirOwnStatus() throws Exception {
        for (int i = 0; i < 20; i++) {
            Process other = new ProcessBuilder("sh", "-c", "exit 9").start();
            assertThat(shell("exit 8").finish()).isEqualTo(new CommandEnd.Exited(8, ""));
            assertThat(other.waitFor()).isEqualTo(9);
        }
    }

    @Test
    void sinkThatFailsIsToldInTheNote() throws Exception {
        RecordingSink broken = new RecordingSink() {
            @Override
            public void write(OutputChannel channel, byte[] bytes, int offset, int length) {
                throw new IllegalStateException("a broken sink");
            }
        };
        Running running = start(launcher(BOUND), request(Map.of(), "echo", "lost"), broken);
        assertThat(running.finish())
                .isEqualTo(new CommandEnd.Exited(0, "the end of STDOUT is lost by a failure of the agent"));
    }

    @Test
    void argumentsOverTheKernelsLimitAreAFailedLaunch() throws Exception {
        LaunchOutcome outcome =
                launcher(BOUND).launch(request(Map.of(), "echo", "x".repeat(1 << 20)), new RecordingSink());
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        LaunchOutcome.Failed.class,
                        failed -> assertThat(failed.message()).contains("echo", "Argument list too long"));
    }

    @Test
    void missingRunDirectoryIsAFailedLaunch() throws Exception {
        LaunchRequest request = request(Map.of(), "true");
        Files.delete(request.runDirectory());
        assertThat(launcher(BOUND).launch(request, new RecordingSink()))
                .isInstanceOfSatisfying(
                        LaunchOutcome.Failed.class,
                        failed -> assertThat(failed.message()).contains("no run directory: " + request.runDirectory()));
    }

    @Test
    void argumentWithANulIsAFailedLaunch() throws Exception {
        assertThat(launcher(BOUND).launch(request(Map.of(), "echo", "a\0b"), new RecordingSink()))
                .isInstanceOfSatisfying(
                        LaunchOutcome.Failed.class,
                        failed -> assertThat(failed.message()).contains("argument 1 has a NUL at position 1"));
    }

    @Test
    void variableNameWithAnEqualsSignIsAFailedLaunch() throws Exception {
        assertThat(launcher(BOUND).launch(request(Map.of("A=B", "c"), "true"), new RecordingSink()))
                .isInstanceOfSatisfying(
                        LaunchOutcome.Failed.class,
                        failed -> assertThat(failed.message()).contains("\"A=B\""));
    }
}
