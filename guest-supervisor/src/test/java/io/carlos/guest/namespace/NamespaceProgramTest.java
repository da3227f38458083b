package io.carlos.guest.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.ScriptedProcess;
import io.carlos.guest.namespace.calls.TemporaryBox;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceProgramTest {
    private static final JvmPrograms PROGRAMS = new JvmPrograms("/opt/cli", "/opt/control");

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private Path cmdline;
    private TemporaryBox box;
    private ScriptedProcess process;

    @BeforeEach
    void setUp() throws IOException {
        cmdline = directory.resolve("cmdline");
        box = new TemporaryBox(directory);
        process = new ScriptedProcess(box.rootVariable(), TemporaryBox.invocationVariable()) {
            @Override
            public int open(int parent, String name, OpenMode mode) {
                return super.open(parent, name.equals("/proc/self/cmdline") ? cmdline.toString() : name, mode);
            }

            @Override
            public int write(int descriptor, byte[] buffer, int offset, int length) {
                if (descriptor != 1 && descriptor != 2) {
                    return super.write(descriptor, buffer, offset, length);
                }
                (descriptor == 1 ? out : err).write(buffer, offset, 1);
                return 1;
            }
        };
    }

    @Test
    void anyOtherVerbBecomesTheCommandLineWithItsArgumentsUnchanged() throws IOException {
        process.executeError = -Errno.ENOENT;

        assertThat(run("runs", "show", "", "é\u0001")).isEqualTo(127);
        assertThat(process.log)
                .containsExactly(
                        "unblock",
                        "execute /opt/cli runs show  é\u0001 with " + box.rootVariable() + " "
                                + TemporaryBox.invocationVariable());
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("carlos: execute /opt/cli: No such file or directory (errno 2)\n");
    }

    @Test
    void withoutAVerbItBecomesTheCommandLineToo() throws IOException {
        process.executeError = -Errno.EACCES;

        assertThat(run()).isEqualTo(126);
        assertThat(process.log).element(1).asString().startsWith("execute /opt/cli with ");
    }

    @Test
    void instanceControlBecomesTheControlServiceWithWhatFollows() throws IOException {
        process.executeError = -Errno.ENOENT;

        assertThat(run("instance-control", "--debug")).isEqualTo(127);
        assertThat(process.log).element(1).asString().startsWith("execute /opt/control --debug with ");
    }

    @Test
    void instanceExecRunsTheTrampoline() throws IOException {
        process.ended(ScriptedProcess.CHILD, 5 << 8);
        box.launch();

        assertThat(run("instance-exec", "run", "bill.example.com")).isEqualTo(5);
    }

    @Test
    void aRefusalIsOneLine() throws IOException {
        assertThat(run("instance-exec", "run", "bill.example.com")).isEqualTo(125);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("carlos: instance-exec: open launch.run.json: No such file or directory (errno 2)\n");
    }

    @Test
    void instanceExecWithOtherArgumentsIsRefused() throws IOException {
        assertThat(run("instance-exec", "run")).isEqualTo(125);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("carlos: expected: carlos instance-exec <role> <instance>\n");
    }

    @Test
    void instanceExitWritesTheRecordAndSucceeds() throws IOException {
        assertThat(run("instance-exit", "cmd", "bill.example.com")).isZero();
        assertThat(box.run().resolve("exit.cmd." + TemporaryBox.INVOCATION + ".json"))
                .exists();
    }

    @Test
    void instanceExitSucceedsAlsoWhenItCannotWrite() throws IOException {
        assertThat(run("instance-exit", "cmd", "a.example.com")).isZero();
        assertThat(run("instance-exit")).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(2);
    }

    private int run(String... arguments) throws IOException {
        Files.writeString(cmdline, "carlos\0" + (arguments.length == 0 ? "" : String.join("\0", arguments) + "\0"));
        return new NamespaceProgram(process, () -> 0, PROGRAMS).run(arguments);
    }
}
