package io.carlos.guest.namespace.trampoline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.ScriptedProcess;
import io.carlos.guest.namespace.calls.Signals;
import io.carlos.guest.namespace.calls.TemporaryBox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrampolineTest {
    private static final int EXITED_WITH_7 = 7 << 8;
    private static final int KILLED_BY_TERM = 15;
    private static final int ORPHAN = 55;

    private final List<String> complaints = new ArrayList<>();
    private TemporaryBox box;
    private ScriptedProcess process;

    @BeforeEach
    void setUp(@TempDir Path directory) throws IOException {
        box = new TemporaryBox(directory).launch("serve", "--port=1");
        process = new ScriptedProcess(box.rootVariable(), TemporaryBox.invocationVariable());
    }

    @Test
    void aCommandThatExitsIsReportedWithItsStatus() {
        process.ended(ScriptedProcess.CHILD, EXITED_WITH_7);

        assertThat(run()).isEqualTo(7);
        assertThat(box.status()).isEqualTo("exited 7");
        assertThat(complaints).isEmpty();
    }

    @Test
    void aCommandThatASignalEndsIsReportedWithTheSignal() {
        process.ended(ScriptedProcess.CHILD, KILLED_BY_TERM);

        assertThat(run()).isEqualTo(128 + 15);
        assertThat(box.status()).isEqualTo("killed 15");
    }

    @Test
    void theStatusFileSaysRunningBeforeTheCommandStarts() {
        List<String> seen = new ArrayList<>();
        process.atFork = () -> seen.add(box.status());
        process.ended(ScriptedProcess.CHILD, EXITED_WITH_7);

        run();

        assertThat(seen).containsExactly("running 0");
    }

    @Test
    void signalsAreBlockedAndResetBeforeTheForkAndForwardedOnlyOnceTheCommandRuns() {
        process.signal(Signals.TERM).ended(ScriptedProcess.CHILD, EXITED_WITH_7);

        run();

        assertThat(process.log)
                .containsExactly("block", "reset", "fork", "read pipe", "kill 100 15", "reap " + ScriptedProcess.CHILD);
    }

    @Test
    void everySignalButThoseAboutTheTrampolineItselfIsForwarded() {
        process.signal(1).signal(Signals.PIPE).signal(12).ended(ScriptedProcess.CHILD, 0);

        run();

        assertThat(process.log)
                .filteredOn(call -> call.startsWith("kill"))
                .containsExactly("kill 100 1", "kill 100 12");
    }

    @Test
    void orphansAreReapedAndTheirStatusIsNotTheCommands() {
        process.ended(ORPHAN, 3 << 8, ORPHAN + 1, KILLED_BY_TERM).ended(ORPHAN + 2, 0, ScriptedProcess.CHILD, 0);

        assertThat(run()).isZero();
        assertThat(process.log).contains("reap 55", "reap 56", "reap 57", "reap 100");
    }

    @Test
    void aProcessThatIsNotTheFirstOfItsNamespaceAdoptsOrphans() {
        process.processId = 2;
        process.ended(ScriptedProcess.CHILD, 0);

        run();

        assertThat(process.log).startsWith("block", "reset", "adopt", "fork");
    }

    @Test
    void theChildBecomesExactlyTheCommandInAGroupOfItsOwn() {
        process.forked = 0;
        process.executeError = -Errno.EACCES;

        assertThatThrownBy(() -> run()).isInstanceOf(ScriptedProcess.Gone.class);
        assertThat(process.log)
                .containsSubsequence(
                        "fork",
                        "group",
                        "unblock",
                        "execute " + box.program() + " serve --port=1 with A=1",
                        "write pipe 13",
                        "exit 125");
    }

    @Test
    void aProgramThatIsNotThereIsRefusedWith127() {
        process.executeError = -Errno.ENOENT;

        assertThat(run()).isEqualTo(127);
        assertThat(box.status()).isEqualTo("refused 127");
        assertThat(process.log).endsWith("wait 100");
        assertThat(complaints).containsExactly("execute " + box.program() + ": No such file or directory (errno 2)");
    }

    @Test
    void aProgramThatIsNotExecutableIsRefusedWith126() {
        process.executeError = -Errno.EACCES;

        assertThat(run()).isEqualTo(126);
        assertThat(box.status()).isEqualTo("refused 126");
    }

    @Test
    void aCommandThatExitsWith127ItselfIsNotRefused() {
        process.ended(ScriptedProcess.CHILD, 127 << 8);

        assertThat(run()).isEqualTo(127);
        assertThat(box.status()).isEqualTo("exited 127");
    }

    @Test
    void aForkThatFailsIsRefused() {
        process.forked = -11;

        assertThat(run()).isEqualTo(125);
        assertThat(box.status()).isEqualTo("refused 125");
    }

    @Test
    void aLaunchFileOfAnotherHostIsRefused() throws IOException {
        Files.writeString(
                box.launchFile(),
                Files.readString(box.launchFile()).replace("\"bill.example.com\"", "\"b.example.com\""));

        assertThat(run()).isEqualTo(125);
        assertThat(box.status()).isEqualTo("refused 125");
        assertThat(complaints).hasSize(1).first().asString().contains("not the host of the instance bill.example.com");
    }

    @Test
    void aLaunchFileThatIsALinkIsRefusedUnread() throws IOException {
        Path elsewhere = box.root().resolve("elsewhere");
        Files.move(box.launchFile(), elsewhere);
        Files.createSymbolicLink(box.launchFile(), elsewhere);

        assertThat(run()).isEqualTo(125);
        assertThat(complaints).containsExactly("open launch.run.json: Too many levels of symbolic links (errno 40)");
    }

    @Test
    void aLaunchFileOfOneByteTooManyIsRefused() throws IOException {
        Files.writeString(box.launchFile(), Files.readString(box.launchFile()) + " ".repeat(256 * 1024));

        assertThat(run()).isEqualTo(125);
        assertThat(complaints).hasSize(1).first().asString().contains("over the 262144 allowed");
    }

    @Test
    void whatLiesUnderTheStatusFilesNamesIsReplacedAndNotFollowed() throws IOException {
        Path secret = Files.writeString(box.root().resolve("secret"), "unchanged");
        Files.createSymbolicLink(box.statusFile(), secret);
        Files.createSymbolicLink(box.run().resolve("." + box.statusFile().getFileName() + ".tmp"), secret);
        process.ended(ScriptedProcess.CHILD, EXITED_WITH_7);

        assertThat(run()).isEqualTo(7);
        assertThat(box.status()).isEqualTo("exited 7");
        assertThat(box.statusFile()).isRegularFile();
        assertThat(secret).hasContent("unchanged");
    }

    @Test
    void withoutAStatusFileTheCommandIsNotStarted() throws IOException {
        Files.createDirectory(box.run().resolve("." + box.statusFile().getFileName() + ".tmp"));

        assertThat(run()).isEqualTo(125);
        assertThat(process.log).doesNotContain("fork");
        assertThat(complaints).hasSize(1).first().asString().contains("; status file: ");
    }

    @Test
    void aLastStatusThatCannotBeWrittenDoesNotChangeTheExitStatus() {
        process.atFork = () -> box.run()
                .resolve("." + box.statusFile().getFileName() + ".tmp")
                .toFile()
                .mkdir();
        process.ended(ScriptedProcess.CHILD, EXITED_WITH_7);

        assertThat(run()).isEqualTo(7);
        assertThat(box.status()).isEqualTo("running 0");
        assertThat(complaints).hasSize(1).first().asString().startsWith("status file: open .status.run.");
    }

    @Test
    void withoutAnInvocationNothingIsStarted() {
        process = new ScriptedProcess(box.rootVariable());

        assertThat(run()).isEqualTo(125);
        assertThat(complaints).containsExactly("INVOCATION_ID is not set; systemd sets it for its units");
    }

    @Test
    void anInvocationThatIsNoneIsRefused() {
        process = new ScriptedProcess(box.rootVariable(), "INVOCATION_ID=../../etc");

        assertThat(run()).isEqualTo(125);
        assertThat(complaints).hasSize(1).first().asString().startsWith("not an invocation id");
    }

    @Test
    void aRoleOrInstanceThatIsNoneIsRefused() {
        assertThat(run("exec", "bill.example.com")).isEqualTo(125);
        assertThat(run("run", "../bill.example.com")).isEqualTo(125);
        assertThat(complaints).hasSize(2);
    }

    private int run() {
        return run("run", "bill.example.com");
    }

    private int run(String role, String id) {
        return new Trampoline(process, () -> 0, complaints::add).run(role, id);
    }
}
