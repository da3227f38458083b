package io.carlos.cli.vm;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.cli.agent.AgentProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The real command line against a real agent, whose machines are processes. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VmCommandsIT {
    private static final String SHARED = "shared";
    private static final String NOBODY = "65534";

    private Path directory;
    private AgentProcess agent;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        agent = AgentProcess.startWithHostMachines(directory);
        assertThat(carlos("vm", "create", SHARED, "--uid", uid()).exit()).isZero();
        assertThat(carlos("vm", "start", SHARED).exit()).isZero();
    }

    @AfterAll
    void stop() throws Exception {
        if (agent != null) {
            agent.stop();
        }
    }

    private static String uid() throws IOException {
        int own = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return own == 0 ? NOBODY : Integer.toString(own);
    }

    @Test
    void aMachineIsCreatedListedStartedUsedStoppedAndRemoved() throws Exception {
        CarlosProcess created = carlos("vm", "create", "life", "--uid", uid());
        assertThat(created.out()).matches("[0-9a-f]{16,64}\n");
        assertThat(carlos("vm", "start", "life").exit()).isZero();

        JsonNode row = listed("life");
        assertThat(row.at("/id").asString()).isEqualTo(created.out().strip());
        assertThat(row.at("/state").asString()).isEqualTo("running");
        assertThat(carlos("vm", "list").out())
                .containsPattern("life +" + created.out().strip() + " +running");
        assertThat(exec("life", "--", "pwd").out()).isEqualTo("/\n");

        assertThat(carlos("vm", "stop", "life", "--timeout", "20s").exit()).isZero();
        assertThat(listed("life").at("/state").asString()).isEqualTo("stopped");
        assertThat(carlos("vm", "rm", "life").exit()).isZero();
        CarlosProcess gone = carlos("vm", "rm", "life");
        assertThat(gone.exit()).isEqualTo(76);
        assertThat(gone.err()).contains("there is no machine life");
        assertThat(Path.of(row.at("/workspace").asString())).doesNotExist();
    }

    private JsonNode listed(String name) throws Exception {
        for (JsonNode row : JsonMapper.shared()
                .readTree(carlos("vm", "list", "--output", "json").out())) {
            if (row.at("/name").asString().equals(name)) {
                return row;
            }
        }
        throw new AssertionError(name + " is not listed");
    }

    @Test
    void streamsEnvironmentDirectoryAndExitCodeAreTheCommands() throws Exception {
        CarlosProcess carlos = exec(
                SHARED, "--env", "A=b c", "--workdir", "/usr", "--", "sh", "-c", "echo \"$A\"; pwd >&2; cat; exit 3");

        assertThat(carlos.exit()).isEqualTo(3);
        assertThat(carlos.out()).isEqualTo("b c\n");
        assertThat(carlos.err()).isEqualTo("/usr\n");
    }

    @Test
    void aSignalIsTheExitCode() throws Exception {
        assertThat(exec(SHARED, "--", "sh", "-c", "kill -SEGV $$").exit()).isEqualTo(128 + 11);
    }

    @Test
    void inputOfAMegabyteAndAHalfArrivesAsItIs() throws Exception {
        byte[] input = new byte[1_500_000];
        new Random(7).nextBytes(input);
        Path file = Files.write(directory.resolve("input"), input);

        CarlosProcess carlos =
                CarlosProcess.startWithInput(directory, file, words("vm", "exec", "-i", SHARED, "--", "sha256sum"));

        assertThat(carlos.awaitExit()).isZero();
        assertThat(carlos.out())
                .startsWith(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(input)));
    }

    @Test
    void withoutItsOptionACommandHasNoInput() throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "not for it");

        CarlosProcess carlos = CarlosProcess.startWithInput(directory, file, words("vm", "exec", SHARED, "--", "cat"));

        assertThat(carlos.awaitExit()).isZero();
        assertThat(carlos.out()).isEmpty();
    }

    @Test
    void ctrlCAsksTheCommandToEndAndASecondOneKillsIt() throws Exception {
        CarlosProcess carlos = CarlosProcess.start(
                directory,
                words(
                        "vm",
                        "exec",
                        SHARED,
                        "--",
                        "sh",
                        "-c",
                        "trap 'echo asked' TERM; echo up; while :; do sleep 0.1; done"));
        carlos.awaitOut("up");
        carlos.signal("INT");
        carlos.awaitOut("asked");
        carlos.signal("INT");

        assertThat(carlos.awaitExit()).isEqualTo(128 + 9);
    }

    @Test
    void aCarlosThatIsKilledTakesItsCommandAlong() throws Exception {
        String mark = "31" + ProcessHandle.current().pid();
        CarlosProcess carlos = CarlosProcess.start(
                directory, words("vm", "exec", SHARED, "--", "sh", "-c", "echo up; exec sleep " + mark));
        carlos.awaitOut("up");
        assertThat(isRunning(mark)).isTrue();

        carlos.killGroup();

        CarlosProcess.await("the end of sleep " + mark, () -> !isRunning(mark));
    }

    private static boolean isRunning(String mark) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().arguments().stream()
                        .anyMatch(arguments -> Arrays.asList(arguments).equals(List.of(mark))));
    }

    @Test
    void aTerminalIsOneInsideHasTheSameSizeAndIsRestored() throws Exception {
        String inside = "test -t 0 && test -t 1 && stty size && echo $TERM; exit 4";

        String shown = onTerminal("stty rows 33 cols 101; stty -g >before; TERM=vt220 "
                + quoted(words("vm", "exec", "-it", SHARED, "--", "sh", "-c", inside))
                + "; echo code $?; stty -g >after");

        assertThat(shown.replace("\r", "")).isEqualTo("33 101\nvt220\ncode 4\n");
        assertThat(Files.readString(directory.resolve("after")))
                .isEqualTo(Files.readString(directory.resolve("before")));
    }

    @Test
    void aTerminalIsRestoredWhenCarlosIsTerminated() throws Exception {
        Process script = terminal("stty -g >before; "
                + quoted(words("vm", "exec", "-it", SHARED, "--", "sh", "-c", "echo up; exec sleep 3216"))
                + "; stty -g >after");
        String shown = "";
        while (!shown.contains("up")) {
            // It shows the first output when it has set its terminal.
            shown += (char) script.getInputStream().read();
        }

        carlosOfTerminal().destroy();

        assertThat(script.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(directory.resolve("after")))
                .isEqualTo(Files.readString(directory.resolve("before")));
    }

    private static ProcessHandle carlosOfTerminal() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .filter(process -> process.info().arguments().stream()
                        .flatMap(Stream::of)
                        .anyMatch("echo up; exec sleep 3216"::equals))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void withoutATerminalThereIsNoneToGive() throws Exception {
        CarlosProcess carlos = exec("-t", SHARED, "--", "true");

        assertThat(carlos.exit()).isEqualTo(64);
        assertThat(carlos.err()).contains("-t needs a terminal").hasLineCount(1);
    }

    @Test
    void whatIsRefusedExitsWithItsReasonAndNoOutput() throws Exception {
        CarlosProcess none = exec(SHARED, "--", "no-such-program");
        CarlosProcess nowhere = exec("nowhere", "--", "true");
        CarlosProcess root = exec("--uid", "0", SHARED, "--", "id");

        assertThat(none.exit()).isEqualTo(76);
        assertThat(none.err()).contains("no-such-program");
        assertThat(nowhere.exit()).isEqualTo(76);
        assertThat(nowhere.err()).contains("there is no machine nowhere");
        assertThat(root.exit()).isEqualTo(76);
    }

    @Test
    void withoutAnAgentTheExitIsUnavailable() throws Exception {
        CarlosProcess nobody =
                CarlosProcess.run(directory, "vm", "exec", SHARED, "--socket", directory + "/nobody", "--", "true");

        assertThat(nobody.exit()).isEqualTo(69);
        assertThat(nobody.err()).contains("systemctl status carlos-edge");
    }

    private CarlosProcess exec(String... arguments) throws Exception {
        return carlos(
                Stream.concat(Stream.of("vm", "exec"), Stream.of(arguments)).toArray(String[]::new));
    }

    private CarlosProcess carlos(String... arguments) throws Exception {
        return CarlosProcess.run(directory, words(arguments));
    }

    /** The group's and the command's words, with the socket between them and the others. */
    private String[] words(String... arguments) {
        return Stream.concat(
                        Stream.of(
                                arguments[0],
                                arguments[1],
                                "--socket",
                                agent.socket().toString()),
                        Stream.of(arguments).skip(2))
                .toArray(String[]::new);
    }

    private String quoted(String... words) {
        return Stream.concat(Stream.of(CarlosProcess.SCRIPT.toString()), Stream.of(words))
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .reduce("CARLOS_NO_BUILD=1", (before, word) -> before + " " + word);
    }

    /** What a terminal shows on which a shell executes the text. */
    private String onTerminal(String text) throws Exception {
        Process script = terminal(text);
        String shown = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor()).as(shown).isZero();
        return shown;
    }

    /** Somebody holds it, and never presses a key. */
    private Process terminal(String text) throws IOException {
        return new ProcessBuilder("script", "-qefc", text, "/dev/null")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
    }
}
