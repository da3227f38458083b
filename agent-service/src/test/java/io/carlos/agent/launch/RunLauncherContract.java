package io.carlos.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Host;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every backend promises of a command, shown on real ones. The backend's side needs a POSIX shell, coreutils and
 * util-linux.
 */
@Timeout(120)
public abstract class RunLauncherContract {
    /** Bounds every wait for something that should come at once. */
    protected static final Duration BOUND = Duration.ofSeconds(60);

    protected static final Duration LONG_GRACE = Duration.ofSeconds(60);
    protected static final Duration SHORT = Duration.ofMillis(100);
    private static final Host HOST = Host.of("acme.example.com");
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    protected Path dataDirectory;

    /** @param drainBound how long background processes may hold the output of a command that has ended */
    protected abstract RunLauncher launcher(Duration drainBound);

    /** @param pid a process number as the command saw it */
    protected abstract boolean isAlive(int pid) throws IOException;

    /** How many commands the backend should stand at once. */
    protected abstract int manyRuns();

    /** A started command with what it needed. */
    protected record Running(LaunchedRun run, Path directory, RecordingSink sink) {
        /** Lets it end by itself and settles it. */
        public CommandEnd finish() throws InterruptedException {
            assertThat(run.awaitEnd(BOUND)).as("the command's own end").isPresent();
            return run.stop(LONG_GRACE);
        }
    }

    protected final Path newRunDirectory(RunId id) throws IOException {
        return Files.createDirectories(dataDirectory.resolve(".carlos-run").resolve(id.value()));
    }

    protected final LaunchRequest request(Map<String, String> environment, String... argv) throws IOException {
        RunId id = RunId.random(RANDOM);
        return new LaunchRequest(id, HOST, List.of(argv), environment, dataDirectory, newRunDirectory(id));
    }

    protected final Running start(RunLauncher launcher, LaunchRequest request, RecordingSink sink)
            throws InterruptedException {
        LaunchOutcome outcome = launcher.launch(request, sink);
        assertThat(outcome).isInstanceOf(LaunchOutcome.Started.class);
        return new Running(((LaunchOutcome.Started) outcome).run(), request.runDirectory(), sink);
    }

    protected final Running start(String... argv) throws IOException, InterruptedException {
        return start(launcher(BOUND), request(Map.of(), argv), new RecordingSink());
    }

    protected final Running shell(String script) throws IOException, InterruptedException {
        return start("sh", "-c", script);
    }

    protected final Running shell(Duration drainBound, String script) throws IOException, InterruptedException {
        return start(launcher(drainBound), request(Map.of(), "sh", "-c", script), new RecordingSink());
    }

    protected static int pidIn(Path file) throws IOException {
        return Integer.parseInt(Files.readString(file).strip());
    }

    /** Waits for a condition that nothing signals. */
    protected static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.sleep(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 255})
    void exitStatusIsReported(int status) throws Exception {
        assertThat(shell("exit " + status).finish()).isEqualTo(new CommandEnd.Exited(status, ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 11})
    void deathBySignalIsReportedAsThatSignal(int signal) throws Exception {
        assertThat(shell("kill -" + signal + " $$").finish()).isEqualTo(new CommandEnd.Killed(signal, ""));
    }

    @Test
    void unknownNameEndsWith127() throws Exception {
        Running running = start("no-such-command", "argument");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(127, ""));
        assertThat(running.sink().stderr()).isEqualTo("carlos: no-such-command: not found\n");
    }

    @Test
    void unknownPathEndsWith127() throws Exception {
        assertThat(start("./missing").finish()).isEqualTo(new CommandEnd.Exited(127, ""));
    }

    @Test
    void emptyNameEndsWith127() throws Exception {
        assertThat(start("").finish()).isEqualTo(new CommandEnd.Exited(127, ""));
    }

    @Test
    void fileWithoutPermissionToExecuteEndsWith126() throws Exception {
        Running running = startFile("rw-r--r--", "#!/bin/sh\nexit 0\n");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(126, ""));
        assertThat(running.sink().stderr()).isEqualTo("carlos: ./program: not an executable file\n");
    }

    @Test
    void directoryAsCommandEndsWith126() throws Exception {
        assertThat(start("/usr").finish()).isEqualTo(new CommandEnd.Exited(126, ""));
    }

    @Test
    void scriptWithoutInterpreterLineEndsWith126() throws Exception {
        Running running = startFile("rwxr-xr-x", "exit 0\n");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(126, ""));
        assertThat(running.sink().stderr())
                .isEqualTo("carlos: ./program: not a program of this machine; "
                        + "a script's first line must be as #!/bin/sh\n");
    }

    @Test
    void scriptWithMissingInterpreterEndsWith126() throws Exception {
        Running running = startFile("rwxr-xr-x", "#!/no/such/interpreter\n");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(126, ""));
        assertThat(running.sink().stderr()).contains("interpreter").startsWith("carlos: ./program: ");
    }

    @Test
    void relativePathIsTakenFromTheRunDirectory() throws Exception {
        Running running = startFile("rwxr-xr-x", "#!/bin/sh\necho \"$0\"\n");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(running.sink().stdout()).isEqualTo("./program\n");
    }

    @Test
    void nameIsLookedUpInThePathOfTheCommandsOwnEnvironment() throws Exception {
        LaunchRequest request = request(Map.of("PATH", "/no/such/directory:"), "program");
        write(request.runDirectory(), "rwxr-xr-x", "#!/bin/sh\necho found\n");
        Running running = start(launcher(BOUND), request, new RecordingSink());
        running.finish();
        assertThat(running.sink().stdout()).isEqualTo("found\n");
    }

    private Running startFile(String permissions, String content) throws IOException, InterruptedException {
        LaunchRequest request = request(Map.of(), "./program");
        write(request.runDirectory(), permissions, content);
        return start(launcher(BOUND), request, new RecordingSink());
    }

    private static void write(Path directory, String permissions, String content) throws IOException {
        Path program = Files.writeString(directory.resolve("program"), content);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void awaitEndOfARunningCommandIsEmptyWhenTheTimeIsUp() throws Exception {
        Running running = start("sleep", "1000");
        assertThat(running.run().awaitEnd(Duration.ofMillis(1))).isEmpty();
        running.run().stop(LONG_GRACE);
    }

    @Test
    void awaitEndReturnsWithTheCommandAlthoughItsChildrenHoldTheOutput() throws Exception {
        Running running = shell(SHORT, "sleep 1000 & exit 4");
        assertThat(running.run().awaitEnd(BOUND)).contains(new CommandEnd.Exited(4, ""));
        running.run().stop(LONG_GRACE);
    }

    // The loops sleep for short: a shell that gets the signal just before it forks runs its trap only after the child.

    @Test
    void commandThatTrapsTermEndsWithItsOwnStatusAndOutput() throws Exception {
        Running running = shell("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.1; done");
        running.sink().awaitStdout("ready", BOUND);
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Exited(7, ""));
        assertThat(running.sink().stdout()).isEqualTo("ready\nbye\n");
    }

    @Test
    void commandThatIgnoresTermIsKilledAfterTheGrace() throws Exception {
        Running running = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done");
        running.sink().awaitStdout("ready", BOUND);
        assertThat(running.run().stop(SHORT)).isEqualTo(new CommandEnd.Killed(9, ""));
    }

    @Test
    void childThatTidiesUpWithinTheGraceIsHeardAlthoughTheCommandDiedAtOnce() throws Exception {
        Running running =
                shell("sh -c 'trap \"sleep 0.2; echo tidy; exit\" TERM; echo ready; while :; do sleep 0.1; done'"
                        + "; exit 0");
        running.sink().awaitStdout("ready", BOUND);
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Killed(15, ""));
        assertThat(running.sink().stdout()).isEqualTo("ready\ntidy\n");
    }

    @Test
    void stopRightAfterLaunchEndsTheCommand() throws Exception {
        Running running = start("sleep", "1000");
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Killed(15, ""));
    }

    @Test
    void stopOfAnEndedCommandKeepsItsOwnEnd() throws Exception {
        Running running = shell("exit 5");
        running.finish();
        assertThat(running.run().awaitEnd(Duration.ZERO)).contains(new CommandEnd.Exited(5, ""));
    }

    @Test
    void secondStopGivesTheSameAnswer() throws Exception {
        Running running = shell(SHORT, "sleep 1000 & exit 6");
        CommandEnd first = running.finish();
        assertThat(first.note()).isNotEmpty();
        assertThat(running.run().stop(Duration.ZERO)).isEqualTo(first);
    }

    @Test
    void interruptedStopGoesOnWhereItWas() throws Exception {
        Running running = shell(
                SHORT, "setsid sleep 1000 & trap 'echo asked; exit 3' TERM; echo ready; while :; do sleep 0.1; done");
        running.sink().awaitStdout("ready", BOUND);
        Thread stopper = Thread.ofVirtual().start(() -> {
            try {
                running.run().stop(LONG_GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        running.sink().awaitStdout("asked", BOUND);
        assertThat(running.run().awaitEnd(BOUND)).isPresent();
        stopper.interrupt();
        stopper.join();
        assertThat(running.run().stop(SHORT))
                .as("it did not end by itself, so that nothing is to be noted of its background")
                .isEqualTo(new CommandEnd.Exited(3, ""));
    }

    @Test
    void streamsAreKeptApart() throws Exception {
        Running running = shell("echo to stdout; echo to stderr >&2");
        running.finish();
        assertThat(running.sink().stdout()).isEqualTo("to stdout\n");
        assertThat(running.sink().stderr()).isEqualTo("to stderr\n");
    }

    @Test
    void binaryOutputArrivesByteForByte() throws Exception {
        long seed = RANDOM.nextLong();
        byte[] content = new byte[300_001];
        new Random(seed).nextBytes(content);
        LaunchRequest request = request(Map.of(), "sh", "-c", "cat input; cat input >&2");
        Files.write(request.runDirectory().resolve("input"), content);
        Running running = start(launcher(BOUND), request, new RecordingSink());
        running.finish();
        assertThat(running.sink().bytes(OutputChannel.STDOUT))
                .as("seed %d", seed)
                .isEqualTo(content);
        assertThat(running.sink().bytes(OutputChannel.STDERR))
                .as("seed %d", seed)
                .isEqualTo(content);
    }

    @Test
    void sixtyFourMebibytesArriveInFull() throws Exception {
        int size = 64 << 20;
        Running running = start("head", "-c", Integer.toString(size), "/dev/zero");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(running.sink().bytes(OutputChannel.STDOUT)).hasSize(size);
    }

    @Test
    void bothStreamsFullAtOnceDoNotWaitForEachOther() throws Exception {
        int size = 1 << 20;
        Running running = shell("head -c " + size + " /dev/zero >&2; head -c " + size + " /dev/zero & " + "head -c "
                + size + " /dev/zero >&2; wait");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(running.sink().bytes(OutputChannel.STDOUT)).hasSize(size);
        assertThat(running.sink().bytes(OutputChannel.STDERR)).hasSize(2 * size);
    }

    @Test
    void stalledSinkHoldsItsOwnCommandAndNoOther() throws Exception {
        RunLauncher launcher = launcher(BOUND);
        StalledSink stalled = new StalledSink();
        int size = 4 << 20;
        Running held = start(launcher, request(Map.of(), "head", "-c", "" + size, "/dev/zero"), stalled);
        stalled.awaitCaller();
        Running free = start(launcher, request(Map.of(), "head", "-c", "" + size, "/dev/zero"), new RecordingSink());
        assertThat(free.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(free.sink().bytes(OutputChannel.STDOUT)).hasSize(size);
        assertThat(held.run().awaitEnd(Duration.ZERO)).isEmpty();

        stalled.open();
        assertThat(held.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(stalled.bytes(OutputChannel.STDOUT)).hasSize(size);
    }

    @Test
    void timeInWhichTheSinkHoldsTheOutputDoesNotCountAgainstTheCommand() throws Exception {
        RunLauncher launcher = launcher(Duration.ofSeconds(1));
        StalledSink stalled = new StalledSink();
        Running held = start(launcher, request(Map.of(), "sh", "-c", "echo kept"), stalled);
        assertThat(held.run().awaitEnd(BOUND)).isPresent();
        stalled.awaitCaller();
        Future<CommandEnd> stop;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            stop = threads.submit(() -> held.run().stop(LONG_GRACE));
            Running clock = start(launcher, request(Map.of(), "sh", "-c", "sleep 1000 &"), new RecordingSink());
            assertThat(clock.finish().note()).as("the bound has passed").isNotEmpty();
            assertThat(stop.isDone()).isFalse();
            stalled.open();
        }
        assertThat(stop.get()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(stalled.stdout()).isEqualTo("kept\n");
    }

    @Test
    void sinkThatGivesUpEndsTheStreamAndNotTheStop() throws Exception {
        RecordingSink givingUp = new RecordingSink() {
            @Override
            public synchronized void write(OutputChannel channel, byte[] bytes, int offset, int length)
                    throws InterruptedException {
                assertThat(stdout()).isEmpty();
                super.write(channel, bytes, offset, length);
                throw new InterruptedException("the run is given up");
            }
        };
        Running running = start(launcher(BOUND), request(Map.of(), "yes"), givingUp);
        assertThat(running.run().awaitEnd(BOUND))
                .as("yes, which nobody reads any more")
                .isPresent();
        assertThat(running.run().stop(LONG_GRACE).note()).isEmpty();
        assertThat(givingUp.bytes(OutputChannel.STDOUT)).isNotEmpty();
    }

    @Test
    void outputOfAChildThatOutlivesTheCommandIsKept() throws Exception {
        Running running = shell("(sleep 0.3; echo late) & echo early");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(running.sink().stdout()).isEqualTo("early\nlate\n");
    }

    @Test
    void childThatHoldsTheOutputPastTheBoundIsKilledAndTheEndSaysSo() throws Exception {
        Running running = shell(SHORT, "sleep 1000 & echo $! > pid; echo done");
        assertThat(running.finish())
                .isEqualTo(new CommandEnd.Exited(
                        0,
                        "background processes still held the output 100 ms after the command exited; "
                                + "they were stopped"));
        assertThat(running.sink().stdout()).isEqualTo("done\n");
        assertThat(isAlive(pidIn(running.directory().resolve("pid")))).isFalse();
    }

    @Test
    void endlessWriterInTheBackgroundIsStopped() throws Exception {
        Running running =
                start(launcher(SHORT), request(Map.of(), "sh", "-c", "yes & echo $! > pid"), new RecordingSink() {
                    @Override
                    public void write(OutputChannel channel, byte[] bytes, int offset, int length) {}
                });
        assertThat(running.finish().note()).contains("they were stopped");
        assertThat(isAlive(pidIn(running.directory().resolve("pid")))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh -c \"$daemon\" > /dev/null 2>&1 &",
                "env -i PATH=\"$PATH\" timeout 1000 sh -c \"$daemon\" > /dev/null 2>&1 &",
                "nohup sh -c \"$daemon\" > /dev/null 2>&1 &",
                "setsid sh -c \"$daemon\" > /dev/null 2>&1 &",
                "(setsid sh -c \"(sh -c '$daemon' &)\" > /dev/null 2>&1 &)",
                "(setsid sh -c \"(sh -c '$daemon' &)\" <&- >&- 2>&- &)"
            })
    void daemonWithoutTheOutputIsKilledAtTheStop(String start) throws Exception {
        Running running = shell("daemon='echo $$ > new; mv new pid; exec sleep 1000'\n" + start
                + "\nuntil [ -e pid ]; do sleep 0.01; done");
        assertThat(running.run().awaitEnd(BOUND)).isPresent();
        int daemon = pidIn(running.directory().resolve("pid"));
        assertThat(isAlive(daemon)).as("the daemon before the stop").isTrue();
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(isAlive(daemon)).as("the daemon after the stop").isFalse();
    }

    @Test
    void childOfABackgroundProcessIsKilledAlthoughItHidesFromIt() throws Exception {
        Running running =
                shell("sh -c \"env -i PATH='$PATH' setsid sh -c 'echo \\$\\$ > new; mv new pid; exec sleep 1000' "
                        + "& wait\" > /dev/null 2>&1 & until [ -e pid ]; do sleep 0.01; done");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(isAlive(pidIn(running.directory().resolve("pid")))).isFalse();
    }

    @Test
    void childOfARunningCommandIsKilledAlthoughItHidesFromIt() throws Exception {
        Running running = shell("env -i PATH=\"$PATH\" setsid sh -c 'echo $$ > new; mv new pid; exec sleep 1000' "
                + "> /dev/null 2>&1 & until [ -e pid ]; do sleep 0.01; done; echo ready; wait");
        running.sink().awaitStdout("ready", BOUND);
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Killed(15, ""));
        assertThat(isAlive(pidIn(running.directory().resolve("pid")))).isFalse();
    }

    @Test
    void environmentValuesArriveAsTheyAre() throws Exception {
        Map<String, String> environment = Map.of("EMPTY", "", "LINES_OF", "one\ntwo\n", "SIGNS", " ä=\"'$x\\ \u2603 ");
        Running running = start(
                launcher(BOUND),
                request(environment, "sh", "-c", "printf '[%s]' \"${EMPTY-unset}\" \"$LINES_OF\" \"$SIGNS\""),
                new RecordingSink());
        running.finish();
        assertThat(running.sink().stdout()).isEqualTo("[][one\ntwo\n][ ä=\"'$x\\ \u2603 ]");
    }

    @Test
    void runIsToldItsNamesAndDirectories() throws Exception {
        LaunchRequest request = request(
                Map.of("CARLOS_HOST", "somebody-else"),
                "sh",
                "-c",
                "printf '%s\n' \"$CARLOS_RUN_DIR\" \"$CARLOS_DATA_DIR\" \"$CARLOS_HOST\" \"$CARLOS_RUN_ID\"");
        Running running = start(launcher(BOUND), request, new RecordingSink());
        running.finish();
        assertThat(running.sink().stdout().lines())
                .containsExactly(
                        request.runDirectory().toString(),
                        request.dataDirectory().toString(),
                        HOST.value(),
                        request.id().value());
    }

    @Test
    void argumentsArriveAsTheyAre() throws Exception {
        List<String> arguments = List.of(
                "plain", "two words", "", "\"quoted\" 'twice'", "$HOME `id` \\ *", "-n", "ä\u2603\uD83D\uDE00", "a\nb");
        List<String> argv = new ArrayList<>(List.of("sh", "-c", "printf '%s\\0' \"$@\"", "name"));
        argv.addAll(arguments);
        Running running = start(argv.toArray(String[]::new));
        running.finish();
        assertThat(running.sink().stdout()).isEqualTo(String.join("\0", arguments) + "\0");
    }

    @Test
    void standardInputIsEmpty() throws Exception {
        Running running = start("cat");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(running.sink().bytes(OutputChannel.STDOUT)).isEmpty();
    }

    @Test
    void workingDirectoryIsTheRunDirectory() throws Exception {
        Running running = shell("pwd -P");
        running.finish();
        assertThat(running.sink().stdout().strip())
                .isEqualTo(running.directory().toRealPath().toString());
    }

    @Test
    void noDescriptorIsInherited() throws Exception {
        Running running = start("ls", "/proc/self/fd");
        running.finish();
        assertThat(running.sink().stdout().lines())
                .as("3 is the directory that ls reads")
                .containsExactly("0", "1", "2", "3");
    }

    @Test
    void noSignalIsIgnoredOrBlocked() throws Exception {
        Running running = start("grep", "-E", "^Sig(Ign|Blk)", "/proc/self/status");
        running.finish();
        assertThat(running.sink().stdout()).isEqualTo("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    }

    @Test
    void manyLaunchesAtOnceEachKeepTheirOwnStatusAndOutput() throws Exception {
        RunLauncher launcher = launcher(BOUND);
        CountDownLatch together = new CountDownLatch(manyRuns());
        List<Future<String>> results = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int i = 0; i < manyRuns(); i++) {
                String script = "echo " + i + "; until [ -e ../go ]; do sleep 0.1; done; exit " + i % 256;
                expected.add(i + "\n" + new CommandEnd.Exited(i % 256, ""));
                results.add(threads.submit(() -> {
                    Running running = start(launcher, request(Map.of(), "sh", "-c", script), new RecordingSink());
                    running.sink().awaitStdout("\n", BOUND);
                    together.countDown();
                    CommandEnd end = running.finish();
                    return new String(running.sink().bytes(OutputChannel.STDOUT), StandardCharsets.UTF_8) + end;
                }));
            }
            together.await();
            Files.createFile(dataDirectory.resolve(".carlos-run").resolve("go"));
        }
        List<String> actual = new ArrayList<>();
        for (Future<String> result : results) {
            actual.add(result.get());
        }
        assertThat(actual).isEqualTo(expected);
    }
}
