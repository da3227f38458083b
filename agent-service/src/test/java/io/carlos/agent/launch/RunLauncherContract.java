package io.carlos.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.OutputChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every backend promises of a command, shown on real ones. The backend's side needs a POSIX shell, coreutils and
 * util-linux.
 */
public abstract class RunLauncherContract extends CommandOutputContract {
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
                        request.host().value(),
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
        Path go = directory.resolve("go");
        CountDownLatch together = new CountDownLatch(manyRuns());
        List<Future<String>> results = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int i = 0; i < manyRuns(); i++) {
                String script = "echo " + i + "; until [ -e " + go + " ]; do sleep 0.1; done; exit " + i % 256;
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
            Files.createFile(go);
        }
        List<String> actual = new ArrayList<>();
        for (Future<String> result : results) {
            actual.add(result.get());
        }
        assertThat(actual).isEqualTo(expected);
    }
}
