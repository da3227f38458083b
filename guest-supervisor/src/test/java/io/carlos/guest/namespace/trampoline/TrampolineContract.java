package io.carlos.guest.namespace.trampoline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.carlos.guest.namespace.NativeProgram;
import io.carlos.guest.namespace.NativeProgram.Ended;
import io.carlos.guest.namespace.NativeProgram.Running;
import io.carlos.guest.namespace.calls.TemporaryBox;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.InstanceId;
import io.carlos.model.testing.Mutations;
import io.carlos.model.testing.Seeded;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The trampoline as a process, in each form that it is compiled to. */
abstract class TrampolineContract {
    private static final String SIGNALS_IGNORED = "$SIG{$_} = 'IGNORE' for qw(PIPE CHLD TERM); exec @ARGV";

    private final String form;
    private final int fuzzedFiles;

    TemporaryBox box;
    NativeProgram program;

    TrampolineContract(String form, int fuzzedFiles) {
        this.form = form;
        this.fuzzedFiles = fuzzedFiles;
    }

    @BeforeEach
    void setUp(@TempDir Path directory) throws IOException {
        box = new TemporaryBox(directory);
        program = new NativeProgram(form, box);
    }

    @Test
    void theCommandsStatusIsItsOwn() throws Exception {
        shell("exit 7");

        Ended ended = program.runInstance();

        assertThat(ended).isEqualTo(new Ended(7, "", java.util.List.of()));
        assertThat(box.status()).isEqualTo("exited 7");
    }

    @Test
    void theCommandGetsExactlyItsArgumentsAndNothingElseIsAdded() throws Exception {
        box.install("/usr/bin/printf").launch("[%s]", "a b", "", "é\n", "*");

        assertThat(program.runInstance().output()).isEqualTo("[a b][][é\n][*]");
    }

    @Test
    void theCommandGetsExactlyItsEnvironment() throws Exception {
        box.install("/usr/bin/env").launch();

        assertThat(program.runInstance().output()).isEqualTo("A=1\n");
    }

    @Test
    void theCommandInheritsTheStandardStreamsAndNoOtherDescriptor() throws Exception {
        box.install("/bin/ls").launch("/proc/self/fd");

        assertThat(program.runInstance().output()).isEqualTo("0\n1\n2\n3\n");
    }

    @Test
    void theCommandStartsWithNoSignalIgnoredOrBlocked() throws Exception {
        box.install("/bin/cat").launch("/proc/self/status");

        assertThat(program.through("perl", "-e", SIGNALS_IGNORED).runInstance().output())
                .contains("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nSigCgt:\t0000000000000000\n");
    }

    @Test
    void anIgnoredSignalOfChildrenDoesNotTakeTheStatusAway() throws Exception {
        shell("exit 7");

        assertThat(program.through("perl", "-e", SIGNALS_IGNORED).runInstance().status())
                .isEqualTo(7);
    }

    @Test
    void aCommandThatHandlesTermEndsInItsOwnWay() throws Exception {
        shell("trap 'exit 3' TERM; echo ready; while :; do sleep 0.05; done");
        Running running = program.startInstance().awaitOutput("ready");
        assertThat(box.status()).isEqualTo("running 0");

        running.process().destroy();

        assertThat(running.await().status()).isEqualTo(3);
        assertThat(box.status()).isEqualTo("exited 3");
    }

    @Test
    void aCommandThatDoesNotHandleTermIsEndedByIt() throws Exception {
        shell("echo ready; exec sleep 600");
        Running running = program.startInstance().awaitOutput("ready");

        running.process().destroy();

        assertThat(running.await().status()).isEqualTo(128 + 15);
        assertThat(box.status()).isEqualTo("killed 15");
    }

    @Test
    void aSignalOfTheCommandToItsGroupDoesNotComeBackFromTheTrampoline() throws Exception {
        shell("n=0; trap 'n=$((n+1))' CONT; kill -CONT 0; sleep 0.2; exit $n");

        assertThat(program.runInstance().status()).isEqualTo(1);
    }

    @Test
    void theCommandsStatusIsReportedWhateverOrphansExitWith() throws Exception {
        shell("for i in 1 2 3 4 5; do (sh -c \"exit $i\" &); done; exit 7");
        for (int i = 0; i < 50; i++) {
            assertThat(program.runInstance().status()).as("run %s", i).isEqualTo(7);
            assertThat(box.status()).isEqualTo("exited 7");
        }
    }

    @Test
    void orphansAreAdoptedAndReaped() throws Exception {
        Path end = box.root().resolve("end");
        String orphan = "while ! [ -e " + end + " ]; do sleep 0.01; done";
        shell("for i in 1 2 3; do (sh -c '" + orphan + "' &); done; echo ready; exec cat");
        Running running = program.startInstance().awaitOutput("ready");
        NativeProgram.await(
                "the command and three orphans",
                () -> running.process().children().count() == 4);

        Files.createFile(end);
        NativeProgram.await(
                "the command alone", () -> running.process().children().count() == 1);

        running.process().getOutputStream().close();
        assertThat(running.await().status()).isZero();
    }

    @Test
    void aFifoUnderTheTemporaryNameHoldsNobodyUp() throws Exception {
        shell("rm -f \"$0\"; exit 7");
        String temporary = "." + box.statusFile().getFileName() + ".tmp";
        fifo(box.run().resolve(temporary));

        assertThat(program.runInstance().status()).isEqualTo(7);
        assertThat(box.status()).isEqualTo("exited 7");
    }

    @Test
    void aProgramThatIsNotThereIs127() throws Exception {
        box.launch();

        Ended ended = program.runInstance();

        assertThat(ended.status()).isEqualTo(127);
        assertThat(ended.errors())
                .containsExactly(
                        "carlos: instance-exec: execute " + box.program() + ": No such file or directory (errno 2)");
        assertThat(box.status()).isEqualTo("refused 127");
    }

    @Test
    void aProgramThatIsNotExecutableIs126() throws Exception {
        box.install("/etc/passwd").launch();

        assertThat(program.runInstance().status()).isEqualTo(126);
        assertThat(box.status()).isEqualTo("refused 126");
    }

    @Test
    void aLaunchFileAsLargeAsAllowedIsRunAndAByteMoreIsRefused() throws Exception {
        shell("exit 7");
        byte[] content = Files.readAllBytes(box.launchFile());
        String padding = " ".repeat(LaunchFile.MAX_BYTES - content.length);
        Files.writeString(box.launchFile(), new String(content, StandardCharsets.UTF_8) + padding);
        assertThat(program.runInstance().status()).isEqualTo(7);

        Files.writeString(box.launchFile(), new String(content, StandardCharsets.UTF_8) + padding + " ");
        assertRefused();
    }

    @Test
    void aLaunchFileThatTakesTheMostMemoryIsRun() throws Exception {
        shell("exit 7");
        StringBuilder members = new StringBuilder();
        for (int i = 0; members.length() < LaunchFile.MAX_BYTES - 1_000; i++) {
            members.append(",\"x").append(Integer.toString(i, 36)).append("\":0");
        }
        String content = Files.readString(box.launchFile());
        Files.writeString(box.launchFile(), content.substring(0, content.length() - 1) + members + "}");

        assertThat(program.runInstance().status()).isEqualTo(7);
    }

    /** A change that a tenant makes to its launch file. */
    interface Attack {
        void on(TemporaryBox box) throws Exception;
    }

    static Stream<Arguments> attacks() {
        return Stream.of(
                attack("none", box -> Files.delete(box.launchFile())),
                attack("a link", box -> {
                    Path elsewhere = box.root().resolve("elsewhere");
                    Files.move(box.launchFile(), elsewhere);
                    Files.createSymbolicLink(box.launchFile(), elsewhere);
                }),
                attack("a link to itself", box -> {
                    Files.delete(box.launchFile());
                    Files.createSymbolicLink(box.launchFile(), box.launchFile());
                }),
                attack("a fifo", box -> {
                    Files.delete(box.launchFile());
                    fifo(box.launchFile());
                }),
                attack("a directory", box -> {
                    Files.delete(box.launchFile());
                    Files.createDirectory(box.launchFile());
                }),
                attack("endless", box -> {
                    Files.delete(box.launchFile());
                    try (var file =
                            new java.io.RandomAccessFile(box.launchFile().toFile(), "rw")) {
                        file.setLength(1L << 40);
                    }
                }),
                attack("empty", box -> Files.writeString(box.launchFile(), "")),
                replace("another schema", "\"schema\":1", "\"schema\":2"),
                replace("a key twice", "\"schema\":1", "\"schema\":1,\"schema\":1"),
                replace("a NUL", "exit 7", "exit 7\\u0000"),
                replace("a NUL byte", "exit 7", "exit 7\0"),
                replace("half a surrogate pair", "exit 7", "exit 7\\ud800"),
                replace("deep nesting", "\"schema\":1", "\"schema\":1,\"x\":" + "[".repeat(60_000)),
                replace("a variable twice", "\"A=1\"", "\"A=1\",\"A=2\""),
                replace("a variable without a key", "\"A=1\"", "\"=1\""),
                replace("a variable without a value", "\"A=1\"", "\"A\""),
                replace("another host", "\"host\":\"bill", "\"host\":\"bob"),
                replace("no host", "\"host\":\"bill.example.com\"", "\"host\":\"_probe\""),
                replace("another program", "live/bill.example.com", "live/bob.example.com"),
                replace("a program beside", "live/bill", "live/../live/bill"),
                replace("a program below", "live/bill", "live/x/bill"),
                replace("a program with a slash", "bill.example.com\",\"-c", "bill.example.com/\",\"-c"),
                replace("a relative program", "[\"/", "[\""),
                attack("no UTF-8", box -> {
                    String content = Files.readString(box.launchFile()).replace("exit 7", "exit \u00e9");
                    Files.write(box.launchFile(), content.getBytes(StandardCharsets.ISO_8859_1));
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void aHostileLaunchFileIsRefused(String what, Attack attack) throws Exception {
        shell("exit 7");
        attack.on(box);

        assertRefused();
    }

    @Test
    void whateverTheLaunchFileIsTheProgramDecidesAsTheClassesOnAJvmDo() throws Exception {
        box.install("/bin/true").launch("x", "é");
        String good = Files.readString(box.launchFile());
        String live = box.program().getParent().toString();
        Seeded.check(fuzzedFiles, random -> {
            byte[] bytes = Mutations.mutate(random, good);
            Files.write(box.launchFile(), bytes);

            assertThat(program.runInstance().status())
                    .as(new String(bytes, StandardCharsets.UTF_8))
                    .isEqualTo(isAccepted(bytes, live) ? 0 : Trampoline.REFUSED);
        });
    }

    private static boolean isAccepted(byte[] bytes, String live) {
        try {
            LaunchFile.read(bytes).checkProgram(live, InstanceId.of(TemporaryBox.HOST));
            return true;
        } catch (InvalidDocumentException e) {
            return false;
        }
    }

    private void assertRefused() throws Exception {
        Ended ended = program.runInstance();

        assertThat(ended.status()).isEqualTo(Trampoline.REFUSED);
        assertThat(ended.errors()).hasSize(1);
        assertThat(ended.output()).isEmpty();
        assertThat(box.status()).isEqualTo("refused 125");
    }

    void shell(String script) throws IOException {
        box.install("/bin/sh").launch("-c", script);
    }

    private static Arguments attack(String what, Attack attack) {
        return arguments(what, attack);
    }

    private static Arguments replace(String what, String from, String to) {
        return attack(what, box -> {
            String content = Files.readString(box.launchFile());
            assertThat(content).contains(from);
            Files.writeString(box.launchFile(), content.replace(from, to));
        });
    }

    private static void fifo(Path path) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
    }
}
