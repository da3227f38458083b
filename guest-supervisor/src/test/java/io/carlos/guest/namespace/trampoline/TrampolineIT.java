package io.carlos.guest.namespace.trampoline;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.guest.namespace.NativeProgram;
import io.carlos.guest.namespace.NativeProgram.Ended;
import io.carlos.guest.namespace.NativeProgram.Running;
import io.carlos.model.linux.RootLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** As it is shipped. */
class TrampolineIT extends TrampolineContract {
    private static final int UNSUPPORTED = 99;
    private static final int MAX_KIBIBYTES = 2_048;

    private static final String[] AS_PROCESS_1 = {"unshare", "--pid", "--fork", "--mount-proc", "--kill-child"};

    TrampolineIT() {
        super(NativeProgram.SHIPPED, 300);
    }

    @Test
    void itStartsWhereNoMemoryMayBeWrittenAndExecuted() throws Exception {
        shell("exit 7");
        String call = System.getProperty("os.arch").equals("aarch64") ? "167" : "157";
        String script = "exit " + UNSUPPORTED + " if syscall(" + call + ", 65, 1, 0, 0, 0) != 0; exec @ARGV";

        Ended ended = program.through("perl", "-e", script).runInstance();

        if (ended.status() == UNSUPPORTED) {
            NativeProgram.skip("the kernel has no PR_SET_MDWE, which Linux has from 6.3 on");
        }
        assertThat(ended.status()).isEqualTo(7);
        // What makes the difference: a JVM does not start there.
        Process jvm = new ProcessBuilder(
                        "perl",
                        "-e",
                        script,
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(jvm.waitFor()).isNotZero();
    }

    @Test
    void itIsSmallOnDiskAndInMemory() throws Exception {
        shell("echo ready; exec cat");
        Running running = program.startInstance().awaitOutput("ready");

        assertThat(Files.size(program.path())).isLessThanOrEqualTo(MAX_KIBIBYTES * 1024L);
        assertThat(peakKibibytes(running.process().pid())).isLessThanOrEqualTo(MAX_KIBIBYTES);

        running.process().getOutputStream().close();
        running.await();
    }

    @Test
    void asProcess1ItStopsACommandThatHandlesTerm() throws Exception {
        RootLane.require("make a process namespace");
        shell("trap 'exit 3' TERM; echo ready; while :; do sleep 0.05; done");
        Running running = program.through(AS_PROCESS_1).startInstance().awaitOutput("ready");

        trampolineOf(running).destroy();

        assertThat(running.await().status()).isEqualTo(3);
        assertThat(box.status()).isEqualTo("exited 3");
    }

    @Test
    void asProcess1ItStopsACommandThatDoesNotHandleTerm() throws Exception {
        RootLane.require("make a process namespace");
        shell("echo ready; exec sleep 600");
        Running running = program.through(AS_PROCESS_1).startInstance().awaitOutput("ready");

        trampolineOf(running).destroy();

        assertThat(running.await().status()).isEqualTo(128 + 15);
        assertThat(box.status()).isEqualTo("killed 15");
    }

    @Test
    void asProcess1ItReapsOrphansAndReportsTheCommand() throws Exception {
        RootLane.require("make a process namespace");
        shell("for i in 1 2 3 4 5; do (sh -c \"exit $i\" &); done; exit 7");
        program.through(AS_PROCESS_1);
        for (int i = 0; i < 50; i++) {
            assertThat(program.runInstance().status()).as("run %s", i).isEqualTo(7);
        }
    }

    private static ProcessHandle trampolineOf(Running unshare) {
        return unshare.process().children().findFirst().orElseThrow();
    }

    private static int peakKibibytes(long process) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process + "/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Integer.parseInt(line.replaceAll("\\D", ""));
            }
        }
        throw new IllegalStateException("no VmHWM of process " + process);
    }
}
