package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.carlos.guest.namespace.NativeProgram;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.linux.RootLane;
import io.carlos.model.testing.SupervisorProcess;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A supervisor that is root, among commands that would like to reach it. */
@Timeout(180)
class NativeStartIT {
    private static final int COMMANDS = 400;
    private static final String IDENTITY = "Uid:|Gid:|Cap(Inh|Prm|Eff|Bnd|Amb):|NoNewPrivs:";

    @TempDir
    private Path directory;

    private static ExecResponse sh(Connection connection, String script) {
        return connection
                .calls()
                .exec(ExecRequest.newBuilder()
                        .addCommand("sh")
                        .addCommand("-c")
                        .addCommand(script)
                        .build());
    }

    private static String nativeProgram(String form) {
        RootLane.require("start commands as another user");
        return "--carlos.guest.native-program=" + NativeProgram.require(form);
    }

    /** What every thread is while commands are started, as the lines of its status that tell so. */
    private Set<String> identitiesOfThreads(String... settings) throws Exception {
        try (SupervisorProcess supervisor = SupervisorProcess.start(directory, settings);
                Connection connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID);
                ExecutorService watcher = Executors.newSingleThreadExecutor()) {
            AtomicBoolean over = new AtomicBoolean();
            Callable<Set<String>> watch = () -> {
                Set<String> seen = new TreeSet<>();
                while (!over.get()) {
                    addIdentities(supervisor.pid(), seen);
                }
                return seen;
            };
            Future<Set<String>> seen = watcher.submit(watch);
            for (int i = 0; i < COMMANDS; i++) {
                assertThat(sh(connection, "exit 3").getExitCode()).isEqualTo(3);
            }
            over.set(true);
            return seen.get(60, TimeUnit.SECONDS);
        }
    }

    private static void addIdentities(long pid, Set<String> seen) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                try {
                    StringBuilder identity = new StringBuilder();
                    for (String line : Files.readAllLines(thread.resolve("status"))) {
                        if (line.matches("(" + IDENTITY + ").*")) {
                            identity.append(line).append('\n');
                        }
                    }
                    seen.add(identity.toString());
                } catch (NoSuchFileException e) {
                    assertThat(thread).as("a thread that ended").doesNotExist();
                } catch (IOException e) {
                    // A thread that ends while its file is read.
                    assertThat(e).hasMessageContaining("No such process");
                }
            }
        }
    }

    @Test
    void noThreadIsEverAnybodyButRoot() throws Exception {
        assertThat(identitiesOfThreads(nativeProgram(NativeProgram.SHIPPED)))
                .singleElement()
                .asString()
                .contains("Uid:\t0\t0\t0\t0\n", "Gid:\t0\t0\t0\t0\n", "NoNewPrivs:\t0\n");
    }

    /** What the test above would not see if it looked too seldom. */
    @Test
    void withoutTheProgramThreadsAreSeenAsTheUser() throws Exception {
        RootLane.require("start commands as another user");
        assertThat(identitiesOfThreads()).anyMatch(identity -> identity.contains("\t" + SupervisorProcess.UID + "\t"));
    }

    @Test
    void aCommandThatSignalsEveryThreadReachesNone() throws Exception {
        String setting = nativeProgram(NativeProgram.SHIPPED);
        try (SupervisorProcess supervisor = SupervisorProcess.start(directory, setting);
                Connection connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID)) {
            String task = "/proc/" + supervisor.pid() + "/task";
            Frames hostile = Frames.start(
                    connection,
                    "perl",
                    "-e",
                    "$| = 1; print 'set'; while (1) { opendir(my $d, '" + task + "') or die;"
                            + " for (grep { /\\d/ } readdir $d) { if (kill 9, $_) { print 'reached'; exit 1 } } }");
            hostile.awaitOutput();
            for (int i = 0; i < COMMANDS; i++) {
                assertThat(sh(connection, "exit 3").getExitCode()).isEqualTo(3);
            }
            hostile.cancel();
            assertThat(hostile.status().getCode()).isEqualTo(Status.Code.CANCELLED);
            assertThat(supervisor.log()).doesNotContain("ERROR");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {NativeProgram.SHIPPED, NativeProgram.CHECKED})
    void aCommandIsTheUserAndNothingElse(String form) throws Exception {
        try (SupervisorProcess supervisor = SupervisorProcess.start(directory, nativeProgram(form));
                Connection connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID)) {
            ExecResponse response = sh(
                    connection,
                    "cat /proc/self/status; ls /proc/$$/fd; tr '\\0' '\\n' < /proc/$$/environ; readlink /proc/$$/cwd");
            assertThat(response.getStderr().toStringUtf8()).isEmpty();
            assertThat(response.getStdout().toStringUtf8())
                    .contains("Uid:\t%1$d\t%1$d\t%1$d\t%1$d\n".formatted(SupervisorProcess.UID))
                    .contains("Gid:\t%1$d\t%1$d\t%1$d\t%1$d\n".formatted(SupervisorProcess.UID))
                    .containsPattern("Groups:\t *\n")
                    .contains("CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000")
                    .contains("CapBnd:\t0000000000000000", "CapAmb:\t0000000000000000", "NoNewPrivs:\t1")
                    .contains("SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000")
                    .contains("\n0\n1\n2\n", "CARLOS_EXEC_ID=")
                    .endsWith("\n/\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {NativeProgram.SHIPPED, NativeProgram.CHECKED})
    void theMostThatTheKernelCouldTakeIsHandedOver(String form) throws Exception {
        try (SupervisorProcess supervisor = SupervisorProcess.start(directory, nativeProgram(form));
                Connection connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID)) {
            ExecRequest many = ExecRequest.newBuilder()
                    .addCommand("true")
                    .addAllCommand(Collections.nCopies(690_000, ""))
                    .build();
            // With less than that as this machine's limit the kernel refuses, and that is said.
            assertThat(Status.fromThrowable(
                                    catchThrowable(() -> connection.calls().exec(many)))
                            .getDescription())
                    .contains("too long for the kernel", "execve");
            ExecRequest wide = ExecRequest.newBuilder()
                    .addCommand("sh")
                    .addCommand("-c")
                    .addCommand("echo $#")
                    .addAllCommand(new ArrayList<>(Collections.nCopies(15, "x".repeat(100_000))))
                    .build();
            assertThat(connection.calls().exec(wide).getStdout().toStringUtf8()).isEqualTo("14\n");
        }
    }

    @Test
    void aProgramThatIsNotThereIsNoSupervisor() throws Exception {
        Throwable failure =
                catchThrowable(() -> SupervisorProcess.start(directory, "--carlos.guest.native-program=/no/such/carlos")
                        .close());
        assertThat(failure).hasMessageContaining("native program /no/such/carlos: expected an executable file");
    }

    @Test
    void aProgramOfAnotherKindStartsNothingAndSaysSo() throws Exception {
        RootLane.require("start commands as another user");
        try (SupervisorProcess supervisor =
                        SupervisorProcess.start(directory, "--carlos.guest.native-program=/bin/true");
                Connection connection = new Connection(supervisor.socket()).provisioned(SupervisorProcess.UID)) {
            Status status = Status.fromThrowable(catchThrowable(() -> sh(connection, "exit 3")));
            assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
        }
    }
}
