package io.carlos.agent.service.vm;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.service.AdminClient;
import io.carlos.agent.service.Await;
import io.carlos.agent.service.RunningBox;
import io.carlos.model.admin.VmRows;
import io.carlos.model.exec.ExecCommand;
import io.carlos.model.exec.ExecEnd;
import io.carlos.model.exec.ExecFrame;
import io.carlos.model.exec.FrameType;
import io.carlos.model.exec.TerminalSize;
import io.carlos.model.testing.SupervisorProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines over the real socket of a real agent; each is a supervisor that is a process of this machine. */
@Timeout(180)
class VmServiceTest {
    private static final String VMS = "/admin/v1/vms";
    private static final String SHARED = "shared";

    @TempDir
    private static Path directory;

    private static RunningBox box;
    private static AdminClient client;

    @BeforeAll
    static void start() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        box = new RunningBox(directory, "process", HostMachines.class);
        client = box.client();
        assertThat(create(SHARED).status()).isEqualTo(200);
        assertThat(client.post(VMS + "/" + SHARED + "/start").status()).isEqualTo(204);
    }

    @AfterAll
    static void stop() {
        Path made = directory.resolve("data/.agent/vms/" + SHARED);
        assertThat(made).isDirectory();
        box.close();
        assertThat(made).doesNotExist();
        assertThat(directory.resolve("run/carlos/agent/microvm")).isEmptyDirectory();
    }

    private static AdminClient.Answer create(String name) {
        return client.post(VMS + "?name=" + name + "&uid=" + SupervisorProcess.UID);
    }

    private static VmRows.Row row(String name) {
        return client.get(VMS).as(VmRows.class).vms().stream()
                .filter(row -> row.name().value().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMachineIsCreatedStartedStoppedStartedAnewAndRemoved() {
        VmRows.Row created = create("life").as(VmRows.Row.class);
        assertThat(created.state()).isEqualTo("created");
        assertThat(created.uid()).isEqualTo(SupervisorProcess.UID);
        assertThat(Path.of(created.workspace())).isDirectory();

        assertThat(client.post(VMS + "/life/start").status()).isEqualTo(204);
        assertThat(row("life").state()).isEqualTo("running");
        AdminClient.Answer twice = client.post(VMS + "/life/start");
        assertThat(twice.status()).isEqualTo(409);
        assertThat(twice.body()).contains("life is running");

        assertThat(client.post(VMS + "/life/stop?timeout=20").status()).isEqualTo(204);
        assertThat(row("life").state()).isEqualTo("stopped");
        assertThat(client.post(VMS + "/life/start").status()).isEqualTo(204);
        assertThat(row("life").id()).isNotEqualTo(created.id());

        assertThat(client.delete(VMS + "/life").status()).isEqualTo(204);
        assertThat(client.delete(VMS + "/life").status()).isEqualTo(404);
        assertThat(Path.of(created.workspace())).doesNotExist();
    }

    @Test
    void aMachineWhoseWorkspaceStaysSaysWhyAndIsRemovedByTheNextRemoval() throws Exception {
        Path workspace = Path.of(create("stuck").as(VmRows.Row.class).workspace());
        try (Immovable _ = Immovable.in(workspace)) {
            assertThat(client.delete(VMS + "/stuck").status()).isEqualTo(409);
            assertThat(row("stuck").state()).isEqualTo("failed");
            assertThat(row("stuck").reason()).contains("its workspace cannot be removed");
            assertThat(client.post(VMS + "/stuck/start").body()).contains("remove it again");
        }
        assertThat(client.delete(VMS + "/stuck").status()).isEqualTo(204);
        assertThat(workspace).doesNotExist();
    }

    @Test
    void theDirectoryThatAnOperatorNamesIsTheWorkspaceAndStays() throws Exception {
        Path given = Files.createDirectory(directory.resolve("given"));

        AdminClient.Answer created = client.post(VMS + "?name=given&workspace=" + given);

        assertThat(created.as(VmRows.Row.class).workspace()).isEqualTo(given.toString());
        assertThat(client.delete(VMS + "/given").status()).isEqualTo(204);
        assertThat(given).isDirectory();
    }

    @Test
    void whatIsNoDirectoryIsNoWorkspace() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        for (String workspace :
                List.of(file.toString(), directory.resolve("none").toString(), "relative", "")) {
            AdminClient.Answer answer = client.post(VMS + "?name=nowhere&workspace=" + workspace);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("expected the absolute path of a directory");
        }
    }

    @Test
    void aNameThatIsNoneARootUserAndATimeWithoutEndAreRefused() {
        assertThat(client.post(VMS + "?name=No_Name").status()).isEqualTo(400);
        assertThat(client.post(VMS + "?name=root&uid=0").body()).contains("never run as root");
        assertThat(client.post(VMS + "/" + SHARED + "/stop?timeout=601").status())
                .isEqualTo(400);
    }

    @Test
    void aNameInUseIsRefusedAndTheMachineStays() {
        AdminClient.Answer second = create(SHARED);

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.body()).contains("carlos vm rm shared");
        assertThat(row(SHARED).state()).isEqualTo("running");
    }

    @Test
    void aMachineThatHasDiedSaysWhy() throws Exception {
        create("dying");
        client.post(VMS + "/dying/start");
        Path record = directory
                .resolve("run/carlos/agent/microvm")
                .resolve(row("dying").id());
        int pid = Integer.parseInt(
                Files.readString(record.resolve("session.json")).replaceAll("(?s).*\"pid\":\\s*(\\d+).*", "$1"));

        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        Await.until("dying failed", () -> row("dying").state().equals("failed"));
        assertThat(row("dying").reason()).contains("killed by signal 9");
        client.delete(VMS + "/dying");
    }

    @Test
    void outputOfBothStreamsAndTheExitCodeAreTheCommands() throws Exception {
        try (ExecClient exec = exec("sh", "-c", "echo out; echo err >&2; echo \"$A\"; exit 7")) {
            assertThat(exec.status()).isEqualTo(200);
            assertThat(exec.awaitEnd()).isEqualTo(ExecEnd.exited(7));
            assertThat(exec.out()).isEqualTo("out\nb c\n");
            assertThat(exec.err()).isEqualTo("err\n");
        }
    }

    @Test
    void inputOfAnyLengthArrivesAsItWasSent() throws Exception {
        byte[] input = new byte[1_500_000];
        new Random(5).nextBytes(input);

        try (ExecClient exec = exec("sha256sum")) {
            exec.feed(input);
            assertThat(exec.awaitEnd()).isEqualTo(ExecEnd.exited(0));
            assertThat(exec.out())
                    .startsWith(HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(input)));
        }
    }

    @Test
    void aClientThatDoesNotReadStopsTheCommandAndLosesNothing() throws Exception {
        Path progress = directory.resolve("progress");
        Files.createFile(progress);
        Files.setPosixFilePermissions(progress, PosixFilePermissions.fromString("rw-rw-rw-"));
        int blocks = 400;
        try (ExecClient exec = exec(
                "sh",
                "-c",
                "i=0; while [ $i -lt " + blocks + " ]; do head -c 65536 /dev/zero; i=$((i+1)); echo >> " + progress
                        + "; done")) {
            awaitRest(progress);
            assertThat(Files.size(progress)).isLessThan(blocks / 2);

            assertThat(exec.awaitEnd()).isEqualTo(ExecEnd.exited(0));
            assertThat(exec.out()).hasSize(blocks * 65536);
        }
    }

    /** Until the file has not grown for a while. */
    private static void awaitRest(Path file) throws Exception {
        long[] size = {-1};
        int[] same = {0};
        Await.until("rest", () -> {
            try {
                long now = Files.size(file);
                same[0] = now == size[0] && now > 0 ? same[0] + 1 : 0;
                size[0] = now;
                return same[0] > 20;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aConnectionThatBreaksKillsTheCommand() throws Exception {
        String mark = "318" + ProcessHandle.current().pid();
        try (ExecClient exec = exec("sh", "-c", "echo up; exec sleep " + mark)) {
            exec.awaitOut("up");
            assertThat(isRunning(mark)).isTrue();
        }
        Await.until("the end of sleep " + mark, () -> !isRunning(mark));
    }

    @Test
    void aConnectionThatBreaksWithInputThatNobodyReadsKillsTheCommand() throws Exception {
        String mark = "319" + ProcessHandle.current().pid();
        try (ExecClient exec = exec("sh", "-c", "echo up; exec sleep " + mark)) {
            exec.awaitOut("up");
            for (int sent = 0; sent < ExecFrame.STDIN_WINDOW; sent += ExecFrame.MAX_DATA) {
                exec.send(new ExecFrame(FrameType.STDIN, new byte[ExecFrame.MAX_DATA]));
            }
        }
        Await.until("the end of sleep " + mark, () -> !isRunning(mark));
    }

    @Test
    void aSignalOvertakesInputThatNobodyReads() throws Exception {
        try (ExecClient exec = exec("sh", "-c", "trap 'exit 9' TERM; echo up; while :; do sleep 0.05; done")) {
            exec.awaitOut("up");
            for (int sent = 0; sent < ExecFrame.STDIN_WINDOW; sent += ExecFrame.MAX_DATA) {
                exec.send(new ExecFrame(FrameType.STDIN, new byte[ExecFrame.MAX_DATA]));
            }
            exec.send(ExecFrame.of(FrameType.TERMINATE));
            assertThat(exec.awaitEnd()).isEqualTo(ExecEnd.exited(9));
        }
    }

    @Test
    void aKillEndsWhatASignalDoesNot() throws Exception {
        try (ExecClient exec = exec("sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done")) {
            exec.awaitOut("up");
            exec.send(ExecFrame.of(FrameType.TERMINATE));
            exec.send(ExecFrame.of(FrameType.KILL));
            assertThat(exec.awaitEnd()).isEqualTo(ExecEnd.killed(9));
        }
    }

    @Test
    @Timeout(30)
    void moreInputThanTheWindowIsAnsweredWithThatAndEndsTheConnection() throws Exception {
        try (ExecClient exec = exec("sleep", "3210")) {
            Thread sender = Thread.ofVirtual().start(() -> sendUntilItIsRefused(exec));
            assertThat(exec.awaitEnd().failure()).contains("more input than the command has taken");
            sender.join();
        }
    }

    /** What lies between agent and command takes some of it, so no fixed length is sure to be too much. */
    private static void sendUntilItIsRefused(ExecClient exec) {
        try {
            while (true) {
                exec.send(new ExecFrame(FrameType.STDIN, new byte[ExecFrame.MAX_DATA]));
            }
        } catch (IOException e) {
            // The agent has hung up.
        }
    }

    @Test
    void aTerminalHasTheSizeAndTheCommandItsWords() throws Exception {
        String odd = "a'b\"c $(touch " + directory + "/pwned) `id` \\ é\n;*";
        ExecCommand command = new ExecCommand(
                List.of(
                        "sh",
                        "-c",
                        "test -t 0 && test -t 1 && stty size; printf '[%s]' \"$@\"; env | grep -c -e CARLOS_WORD -e CARLOS_SHELL; exit 5",
                        "sh",
                        "",
                        odd,
                        "--"),
                Map.of("A", "b", "CARLOS", "1"),
                null,
                null,
                new TerminalSize(31, 97));
        try (ExecClient exec = new ExecClient(box.paths().agentSocket(), SHARED, command)) {
            assertThat(exec.awaitEnd()).isEqualTo(ExecEnd.exited(5));
            assertThat(exec.out().replace("\r\n", "\n")).isEqualTo("31 97\n[][" + odd + "][--]0\n");
        }
        assertThat(directory.resolve("pwned")).doesNotExist();
    }

    @Test
    void aCommandThatCannotBeStartedIsAProblemAndNoStream() throws Exception {
        try (ExecClient none = exec("no-such-program")) {
            assertThat(none.status()).isEqualTo(409);
            assertThat(none.problem()).contains("no-such-program");
        }
        try (ExecClient empty = exec()) {
            assertThat(empty.status()).isEqualTo(400);
        }
        try (ExecClient malformed =
                new ExecClient(box.paths().agentSocket(), SHARED, ExecFrame.of(FrameType.END_OF_STDIN))) {
            assertThat(malformed.status()).isEqualTo(400);
            assertThat(malformed.problem()).contains("no frame COMMAND");
        }
    }

    @Test
    void aMachineThatDoesNotRunTakesNoCommand() throws Exception {
        create("cold");
        try (ExecClient cold = new ExecClient(box.paths().agentSocket(), "cold", command("true"))) {
            assertThat(cold.status()).isEqualTo(409);
            assertThat(cold.problem()).contains("it was not started");
        }
        try (ExecClient none = new ExecClient(box.paths().agentSocket(), "none", command("true"))) {
            assertThat(none.status()).isEqualTo(404);
        }
        client.delete(VMS + "/cold");
    }

    @Test
    void aMachineThatIsStoppedFailsItsCommands() throws Exception {
        create("stopping");
        client.post(VMS + "/stopping/start");
        try (ExecClient exec = new ExecClient(
                box.paths().agentSocket(), "stopping", command("sh", "-c", "trap '' TERM; echo up; exec sleep 3211"))) {
            exec.awaitOut("up");
            assertThat(client.post(VMS + "/stopping/stop?timeout=0").status()).isEqualTo(204);
            assertThat(exec.awaitEnd().failure()).contains("stopped");
        }
        client.delete(VMS + "/stopping");
    }

    private static ExecCommand command(String... argv) {
        return new ExecCommand(List.of(argv), Map.of("A", "b c"), null, null, null);
    }

    private static ExecClient exec(String... argv) throws Exception {
        return new ExecClient(box.paths().agentSocket(), SHARED, command(argv));
    }

    private static boolean isRunning(String mark) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().arguments().stream()
                        .anyMatch(arguments -> List.of(arguments).equals(List.of(mark))));
    }
}
