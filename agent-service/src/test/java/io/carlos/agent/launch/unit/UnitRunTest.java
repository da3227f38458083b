package io.carlos.agent.launch.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MainCode;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.StatusFile;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.runs.OutputChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the end of a command becomes known, and how it is settled. */
@Timeout(60)
class UnitRunTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final InvocationId INVOCATION = ScriptedControl.INVOCATION;
    private static final CommandEnd UNBELIEVED = new CommandEnd.Lost("its status file is not as it must be");

    @TempDir
    Path root;

    private UnitWorld world;
    private ScriptedControl control;
    private LaunchedRun run;

    @BeforeEach
    void start() throws Exception {
        world = new UnitWorld(root);
        control = world.control();
        run = world.start();
    }

    @AfterEach
    void settledRunLeavesNothing() throws Exception {
        run.stop(Duration.ZERO);
        world.assertNothingIsLeft();
    }

    @Test
    void statusFileIsBelievedAndSystemdIsNot() throws Exception {
        world.writeStatus(Cause.EXITED, 7);
        control.onPoll(() -> CmdAnswer.done(INVOCATION, "success", 0, MainCode.EXITED));
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Exited(7, ""));
    }

    @Test
    void deathBySignalIsTheStatusFiles() throws Exception {
        world.writeStatus(Cause.KILLED, 11);
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Killed(11, ""));
    }

    @Test
    void commandWithoutAStatusFileNeverRan() throws Exception {
        control.onPoll(() -> CmdAnswer.done(INVOCATION, "success", 0, MainCode.EXITED));
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Interrupted("start failed", ""));
    }

    @Test
    void refusalOfThePlatformIsAFailedStart() throws Exception {
        world.writeStatus(Cause.REFUSED, 125);
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Interrupted("start failed", ""));
    }

    @ParameterizedTest
    @CsvSource({"126, the instance's program is not executable", "127, the instance's program is not there"})
    void programThatCannotBeExecutedEndsAsInAShell(int status, String note) throws Exception {
        world.writeStatus(Cause.REFUSED, status);
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Exited(status, note));
    }

    @ParameterizedTest
    @ValueSource(ints = {125, 126, 127})
    void ownStatusOfACommandIsNoRefusal(int status) throws Exception {
        world.writeStatus(Cause.EXITED, status);
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Exited(status, ""));
    }

    @ParameterizedTest
    @CsvSource({
        "signal, 6, KILLED, 6, ''",
        "core-dump, 11, DUMPED, 11, ''",
        "success, 0, EXITED, 9, ''",
        "oom-kill, 9, KILLED, 9, the instance was out of memory",
        "signal, 99, KILLED, 9, ''"
    })
    void commandKilledFromOutsideHasSystemdsSignalIfItKnowsOne(
            String result, int status, MainCode code, int signal, String note) throws Exception {
        world.writeStatus(Cause.RUNNING, 0);
        control.onPoll(() -> CmdAnswer.done(INVOCATION, result, status, code));
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Killed(signal, note));
    }

    @Test
    void commandThatIsStoppedAndSaysNothingMoreWasKilled() throws Exception {
        world.writeStatus(Cause.RUNNING, 0);
        control.onPoll(() -> CmdAnswer.running(INVOCATION));
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Killed(9, ""));
        assertThat(control.calls()).containsExactly("start", "poll", "stop", "reset");
    }

    @Test
    void linkInThePlaceOfTheStatusFileIsNotFollowed() throws Exception {
        Path elsewhere = Files.writeString(
                root.resolve("elsewhere"), new StatusFile(INVOCATION, Cause.EXITED, 0, Instant.EPOCH).toJson());
        Files.createSymbolicLink(world.statusFile(), elsewhere);
        assertThat(run.awaitEnd(LONG)).contains(UNBELIEVED);
        assertThat(run.stop(LONG)).isEqualTo(UNBELIEVED);
        assertThat(elsewhere).exists();
    }

    @Test
    void directoryInThePlaceOfTheStatusFileIsNotBelievedAndNotEmptied() throws Exception {
        Path filled = Files.createDirectories(world.statusFile().resolve("full"));
        assertThat(run.awaitEnd(LONG)).contains(UNBELIEVED);
        run.stop(LONG);
        assertThat(filled).exists();
        Files.delete(filled);
        Files.delete(world.statusFile());
    }

    /** A lease makes every open of the file wait, or be refused, for as long as the tenant has it. */
    @Test
    void leaseOnTheStatusFileHoldsNobodyUp() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        Process holder = new ProcessBuilder(
                        "perl",
                        "-e",
                        "$SIG{IO} = 'IGNORE'; open(F, '<', $ARGV[0]) or die; fcntl(F, 1024, 1) or die $!;"
                                + " $| = 1; print 'held'; sleep 600",
                        world.statusFile().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(new String(holder.getInputStream().readNBytes(4), StandardCharsets.UTF_8))
                    .isEqualTo("held");
            assertThat(run.stop(LONG)).isEqualTo(UNBELIEVED);
            assertThat(control.calls()).containsExactly("start", "poll", "stop", "reset");
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    @Test
    void unitIsStoppedWhateverItsEndLooksLike() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        control.onPoll(() -> {
            throw new IllegalStateException("a defect");
        });
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(control.calls()).containsExactly("start", "poll", "stop", "reset");
    }

    @Test
    void commandThatSaysHowItEndedWhenItsInstanceStoppedHasThatInItsNote() throws Exception {
        world.gate().held().getFirst().interrupt("the instance stopped");
        world.writeStatus(Cause.EXITED, 0);
        assertThat(run.stop(LONG))
                .isEqualTo(new CommandEnd.Interrupted(
                        "the instance stopped",
                        "the command was stopped with it, unless it had ended before: it exited with 0"));
    }

    @Test
    void fifoInThePlaceOfTheStatusFileHoldsNobodyUp() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", world.statusFile().toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(run.awaitEnd(LONG)).contains(UNBELIEVED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"invocation\":\"0123456789abcdef0123456789abcdef\",\"cause\":\"exited\",\"status\":256,\"at\":\"1970-01-01T00:00:00Z\"}",
                "{\"invocation\":\"ffffffffffffffffffffffffffffffff\",\"cause\":\"exited\",\"status\":0,\"at\":\"1970-01-01T00:00:00Z\"}"
            })
    void nonsenseInTheStatusFileIsNotBelieved(String content) throws Exception {
        Files.writeString(world.statusFile(), content);
        assertThat(run.awaitEnd(LONG)).contains(UNBELIEVED);
    }

    @Test
    void hugeStatusFileIsNotBelieved() throws Exception {
        Files.writeString(
                world.statusFile(),
                new StatusFile(INVOCATION, Cause.EXITED, 0, Instant.EPOCH).toJson() + " ".repeat(StatusFile.MAX_BYTES));
        assertThat(run.awaitEnd(LONG)).contains(UNBELIEVED);
    }

    @Test
    void statusFileOfARunningCommandIsNotRead() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        control.onPoll(() -> CmdAnswer.running(INVOCATION));
        assertThat(run.awaitEnd(Duration.ZERO)).isEmpty();
    }

    @Test
    void unitThatIsGoneIsStoppedBeforeItsStatusFileIsBelieved() throws Exception {
        control.onPoll(() -> CmdAnswer.gone(INVOCATION));
        control.onStop(() -> {
            writeStatus(Cause.EXITED, 4);
            return null;
        });
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Exited(4, ""));
        assertThat(control.calls()).containsExactly("start", "poll", "stop");
    }

    private void writeStatus(Cause cause, int status) {
        try {
            world.writeStatus(cause, status);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOTHING_RUNS", "MAY_RUN", "BUSY", "STILL_LOADED", "STOPPED", "NOT_READY"})
    void commandGoesOnWhileTheControlServiceIsAway(Outcome outcome) throws Exception {
        world.writeStatus(Cause.EXITED, 3);
        for (int i = 0; i < 20; i++) {
            control.onPoll(ScriptedControl.failing(outcome));
        }
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Exited(3, ""));
    }

    @Test
    void awaitEndIsOverInTimeAlthoughTheControlServiceIsAway() throws Exception {
        for (int i = 0; i < 3; i++) {
            control.onPoll(ScriptedControl.failing(Outcome.NOTHING_RUNS));
        }
        assertThat(run.awaitEnd(Duration.ofSeconds(2))).isEmpty();
        assertThat(control.calls()).containsExactly("start", "poll", "poll", "poll");
    }

    @Test
    void stopIsRepeatedUntilTheControlServiceIsBack() throws Exception {
        world.writeStatus(Cause.KILLED, 15);
        control.onPoll(ScriptedControl.failing(Outcome.NOTHING_RUNS));
        for (int i = 0; i < 10; i++) {
            control.onStop(ScriptedControl.failing(i % 2 == 0 ? Outcome.NOTHING_RUNS : Outcome.MAY_RUN));
        }
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Killed(15, ""));
        assertThat(control.calls()).hasSize(1 + 1 + 11 + 1);
    }

    @Test
    void interruptedStopCanBeMadeAgain() throws Exception {
        world.writeStatus(Cause.KILLED, 15);
        control.onStop(() -> {
            throw new InterruptedException();
        });
        control.onPoll(() -> CmdAnswer.running(INVOCATION));
        assertThatThrownBy(() -> run.stop(LONG)).isInstanceOf(InterruptedException.class);
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Killed(15, ""));
    }

    @Test
    void secondStopAsksNobody() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        CommandEnd first = run.stop(LONG);
        List<String> calls = control.calls();
        assertThat(run.stop(LONG)).isEqualTo(first);
        assertThat(run.awaitEnd(LONG)).contains(first);
        assertThat(control.calls()).isEqualTo(calls);
    }

    @Test
    void instanceThatStopsInterruptsItsCommand() throws Exception {
        world.gate().held().getFirst().interrupt("the instance stopped");
        world.writeStatus(Cause.KILLED, 15);
        assertThat(run.awaitEnd(LONG))
                .contains(new CommandEnd.Interrupted("the instance stopped", "the command was stopped with it"));
        assertThat(run.stop(LONG))
                .isEqualTo(new CommandEnd.Interrupted("the instance stopped", "the command was stopped with it"));
    }

    @Test
    void commandThatHadEndedBeforeItsInstanceStoppedKeepsItsEnd() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        run.awaitEnd(LONG);
        world.gate().held().getFirst().interrupt("the instance stopped");
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Exited(0, ""));
    }

    @Test
    void placeBesideTheInstanceIsHeldUntilTheStop() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        run.awaitEnd(LONG);
        assertThat(world.gate().held()).hasSize(1);
        run.stop(LONG);
        assertThat(world.gate().held()).isEmpty();
    }

    @Test
    void stopRemovesTheFilesOfTheInvocationAndNoOthers() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        Path exitRecord = Files.createFile(world.runFile(ExitRecord.fileName(Role.CMD, INVOCATION)));
        Path others = Files.createFile(world.runFile(StatusFile.fileName(Role.RUN, INVOCATION)));
        run.stop(LONG);
        assertThat(exitRecord).doesNotExist();
        assertThat(world.statusFile()).doesNotExist();
        assertThat(world.launchFile()).doesNotExist();
        assertThat(others).exists();
    }

    @Test
    void whatEveryProgramOfTheUnitPrintedIsHandedOverBeforeTheStopReturns() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        for (String program : List.of("command\n", "exit record\n")) {
            try (SocketChannel stdout = world.connect(OutputChannel.STDOUT);
                    SocketChannel stderr = world.connect(OutputChannel.STDERR)) {
                stdout.write(StandardCharsets.UTF_8.encode("out of " + program));
                stderr.write(StandardCharsets.UTF_8.encode("err of " + program));
            }
        }
        run.stop(LONG);
        assertThat(world.sink().stdout()).contains("out of command\n", "out of exit record\n");
        assertThat(world.sink().stderr()).contains("err of command\n", "err of exit record\n");
    }

    @Test
    void outputThatSomebodyElseHoldsIsReadNoFurtherAndTheEndSaysSo() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        try (SocketChannel held = world.connect(OutputChannel.STDOUT)) {
            held.write(StandardCharsets.UTF_8.encode("kept"));
            assertThat(run.stop(LONG))
                    .isEqualTo(new CommandEnd.Exited(
                            0, "somebody beside the command still held STDOUT; it is read no further"));
            assertThat(world.sink().stdout()).isEqualTo("kept");
        }
    }
}
