package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code carlos local run} as somebody types it. */
class LocalRunIT {
    @TempDir
    Path directory;

    @Test
    void both_streams_and_the_exit_code_are_the_commands_own() throws Exception {
        CarlosProcess carlos = run("--", "sh", "-c", "echo out; echo err >&2; exit 3");

        assertThat(carlos.exit()).isEqualTo(3);
        assertThat(carlos.out()).isEqualTo("out\n");
        assertThat(carlos.err()).isEqualTo("err\n");
    }

    @Test
    void three_million_random_bytes_come_out_of_each_stream_as_they_went_in() throws Exception {
        byte[] blob = new byte[3_000_000];
        new Random(1).nextBytes(blob);
        Files.write(directory.resolve("blob"), blob);

        CarlosProcess carlos = run(
                "--file", "blob", "--", "sh", "-c", "cat \"$CARLOS_RUN_DIR/blob\"; cat \"$CARLOS_RUN_DIR/blob\" >&2");

        assertThat(carlos.exit()).isZero();
        assertThat(carlos.outBytes()).isEqualTo(blob);
        assertThat(carlos.errBytes()).isEqualTo(blob);
    }

    @Test
    void a_background_process_may_finish_its_output() throws Exception {
        CarlosProcess carlos = run("--", "sh", "-c", "(sleep 2; echo late) & echo early");

        assertThat(carlos.out()).isEqualTo("early\nlate\n");
        assertThat(carlos.exit()).isZero();
    }

    @Test
    void a_background_process_that_never_ends_is_stopped_and_said_so() throws Exception {
        CarlosProcess carlos = run("--", "sh", "-c", "sleep 100000 & echo early");

        assertThat(carlos.out()).isEqualTo("early\n");
        assertThat(carlos.err()).contains("background processes still held the output");
        assertThat(carlos.exit()).isZero();
    }

    @Test
    void a_command_over_its_timeout_is_stopped_and_said_so() throws Exception {
        CarlosProcess carlos = run("--timeout", "1s", "--", "sleep", "60");

        assertThat(carlos.exit()).isEqualTo(128 + 15);
        assertThat(carlos.err()).contains("its timeout ran out");
    }

    @Test
    void arguments_reach_the_command_as_they_were_given() throws Exception {
        CarlosProcess carlos = run(
                "--",
                "sh",
                "-c",
                "for a in \"$@\"; do printf '[%s]' \"$a\"; done",
                "x",
                "",
                "a b",
                "--verbose",
                "é'\"");

        assertThat(carlos.out()).isEqualTo("[][a b][--verbose][é'\"]");
    }

    @Test
    void a_missing_input_file_is_a_usage_error() throws Exception {
        CarlosProcess carlos = run("--file", "nowhere", "--", "true");

        assertRefused(carlos, "there is no input file nowhere");
    }

    @Test
    void an_input_file_over_16_mib_is_a_usage_error() throws Exception {
        Files.write(directory.resolve("big"), new byte[17 * 1024 * 1024]);

        assertRefused(run("--file", "big", "--", "true"), "the input file big is over 16 MiB");
    }

    @Test
    void an_input_name_with_a_slash_is_a_usage_error_that_says_how_to_name_the_file() throws Exception {
        assertRefused(run("--file", "sub/rows", "--", "true"), "--file rows=sub/rows");
    }

    @Test
    void an_input_file_that_changes_between_hashing_and_upload_is_a_usage_error_and_nothing_runs() throws Exception {
        // A file that is another at each reading.
        CarlosProcess carlos = run("--file", "uuid=/proc/sys/kernel/random/uuid", "--", "touch", directory + "/ran");

        assertRefused(carlos, "changed while it was being read");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void a_file_of_another_directory_gets_the_name_that_it_is_given() throws Exception {
        Files.createDirectory(directory.resolve("sub"));
        Files.writeString(directory.resolve("sub/rows"), "1,2\n");

        CarlosProcess carlos = run("--file", "rows=sub/rows", "--", "cat", "rows");

        assertThat(carlos.out()).isEqualTo("1,2\n");
    }

    @Test
    void ctrl_c_cancels_and_shows_the_rest() throws Exception {
        CarlosProcess carlos = CarlosProcess.start(
                directory,
                "local",
                "run",
                "--",
                "sh",
                "-c",
                "trap 'echo bye; exit 9' TERM; echo ready; while :; do sleep 0.1; done");
        carlos.awaitOut("ready");

        carlos.signal("INT");

        assertThat(carlos.awaitExit()).isEqualTo(9);
        assertThat(carlos.out()).isEqualTo("ready\nbye\n");
        assertThat(carlos.err()).contains("cancelling run run_").contains("the run was cancelled");
    }

    @Test
    void sigterm_stops_the_command_and_closes_the_run_as_interrupted() throws Exception {
        CarlosProcess carlos =
                CarlosProcess.start(directory, "local", "run", "--", "sh", "-c", "echo ready; exec sleep 100000");
        carlos.awaitOut("ready");

        carlos.signal("TERM");
        carlos.awaitExit();

        assertThat(onlyResult().at("/interrupted").asString()).isEqualTo("the box's agent stopped");
    }

    @Test
    void a_third_ctrl_c_does_not_end_carlos_before_its_command_is_stopped() throws Exception {
        CarlosProcess carlos = CarlosProcess.start(
                directory,
                "local",
                "run",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo $$ > " + directory + "/pid; echo ready; while :; do sleep 0.1; done");
        carlos.awaitOut("ready");
        carlos.signal("INT");
        carlos.awaitErr("cancelling run");
        carlos.signal("INT");
        carlos.awaitErr("left run");

        carlos.signal("INT");
        carlos.awaitExit();

        assertThat(isRunning(Files.readString(directory.resolve("pid")).strip()))
                .isFalse();
    }

    @Test
    void two_at_once_on_one_store_do_not_meet() throws Exception {
        CarlosProcess first =
                CarlosProcess.start(directory, "local", "run", "--", "sh", "-c", "echo one; sleep 1; exit 1");
        CarlosProcess second =
                CarlosProcess.start(directory, "local", "run", "--", "sh", "-c", "echo two; sleep 1; exit 2");

        assertThat(first.awaitExit()).isEqualTo(1);
        assertThat(second.awaitExit()).isEqualTo(2);
        assertThat(first.out() + second.out()).isEqualTo("one\ntwo\n");
    }

    @Test
    void json_lines_tell_states_output_and_result() throws Exception {
        CarlosProcess carlos = run("--output", "json", "--", "sh", "-c", "echo out; exit 4");

        JsonNode last =
                JsonMapper.shared().readTree(carlos.out().lines().toList().getLast());
        assertThat(carlos.exit()).isEqualTo(4);
        assertThat(carlos.out()).contains("\"event\":\"output\"");
        assertThat(last.at("/event").asString()).isEqualTo("result");
        assertThat(last.at("/result/exit").asInt()).isEqualTo(4);
        assertThat(last.at("/result/detail").asString()).isEqualTo("no isolation");
    }

    @Test
    void a_run_whose_whole_process_group_was_killed_is_closed_as_interrupted_and_never_executed_again()
            throws Exception {
        CarlosProcess killed = CarlosProcess.start(
                directory,
                "local",
                "run",
                "--",
                "sh",
                "-c",
                "echo $$ >> " + directory + "/pids; echo ready; exec sleep 100000");
        killed.awaitOut("ready");
        killed.killGroup();

        CarlosProcess up = CarlosProcess.start(directory, "local", "up");
        up.awaitErr("is at work");
        CarlosProcess.await("a result", () -> results().size() == 1);

        assertThat(onlyResult().at("/interrupted").asString()).isEqualTo("the box's agent restarted");
        String pids = Files.readString(directory.resolve("pids"));
        assertThat(pids.lines()).hasSize(1);
        assertThat(isRunning(pids.strip())).isFalse();
        up.signal("TERM");
        up.awaitExit();
    }

    @Test
    void a_second_terminal_is_served_by_the_agent_that_is_up() throws Exception {
        Path store = directory.resolve("elsewhere");
        CarlosProcess up = CarlosProcess.start(directory, "local", "up", "--store", store.toString());
        up.awaitErr("is at work");

        CarlosProcess carlos = CarlosProcess.run(
                directory,
                "run",
                "--store",
                store.toString(),
                "--host",
                "acme.example.com",
                "--",
                "sh",
                "-c",
                "echo $CARLOS_HOST; exit 6");

        assertThat(carlos.out()).isEqualTo("acme.example.com\n");
        assertThat(carlos.exit()).isEqualTo(6);
        up.signal("INT");
        assertThat(up.awaitExit()).isZero();
    }

    @Test
    void a_store_that_is_not_there_is_said_so() throws Exception {
        CarlosProcess carlos = CarlosProcess.run(
                directory, "run", "--store", directory + "/nowhere", "--host", "acme.example.com", "--", "true");

        assertThat(carlos.exit()).isEqualTo(69);
        assertThat(carlos.err()).contains("there is no store at").contains("carlos local up");
    }

    /** A zombie does not run: its new parent has yet to look. */
    private static boolean isRunning(String pid) throws IOException {
        Path stat = Path.of("/proc", pid, "stat");
        return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
    }

    private CarlosProcess run(String... arguments) throws Exception {
        String[] all = new String[arguments.length + 2];
        all[0] = "local";
        all[1] = "run";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return CarlosProcess.run(directory, all);
    }

    private static void assertRefused(CarlosProcess carlos, String sentence) throws IOException {
        assertThat(carlos.exit()).isEqualTo(64);
        assertThat(carlos.err()).contains(sentence).hasLineCount(1);
        assertThat(carlos.out()).isEmpty();
    }

    private Set<Path> results() {
        try (var files = Files.walk(directory.resolve("state"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("result.json"))
                    .collect(java.util.stream.Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode onlyResult() throws IOException {
        assertThat(results()).hasSize(1);
        return JsonMapper.shared()
                .readTree(Files.readAllBytes(results().iterator().next()));
    }
}
