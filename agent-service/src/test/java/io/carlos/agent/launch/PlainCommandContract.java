package io.carlos.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.OutputChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What backends promise besides that start any program, in the run's directory, and leave its descendants to run on until
 * the stop.
 */
public abstract class PlainCommandContract extends RunLauncherContract {
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
    void awaitEndReturnsWithTheCommandAlthoughItsChildrenHoldTheOutput() throws Exception {
        Running running = shell(SHORT, "sleep 1000 & exit 4");
        assertThat(running.run().awaitEnd(BOUND)).contains(new CommandEnd.Exited(4, ""));
        running.run().stop(LONG_GRACE);
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

    @Test
    void workingDirectoryIsTheRunDirectory() throws Exception {
        Running running = shell("pwd -P");
        running.finish();
        assertThat(running.sink().stdout().strip())
                .isEqualTo(running.directory().toRealPath().toString());
    }
}
