package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.testing.GuestCache;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract in virtual machines, and what only they can show. Most rows share one: an emulated machine takes half a
 * minute to boot, and more on a busy one.
 */
@Timeout(1200)
class MicroVmContractIT extends SupervisorRows {
    private static final int NOBODYS = 4321;

    /** From the end of a machine's program until all of its commands have failed. */
    private static final Duration PROMISED = Duration.ofSeconds(5);

    /** How many machines are booted and stopped; as many as somebody has the time for. */
    private static final int STOPS = Integer.getInteger("carlos.microvm.stops", 2);

    private static final long PEAK_MEBIBYTES = 256;

    @TempDir
    private static Path directory;

    private Path workspace;
    private Traces before;
    private MicroVmWorld world;
    private ContainerId shared;

    @BeforeAll
    void boot() throws Exception {
        GuestCache.require();
        workspace = Files.createDirectory(directory.resolve("workspace"));
        world = MicroVmWorld.open(directory.resolve("run"));
        before = traces(List.of());
        shared = started(specWithWhatMeansNothing());
    }

    @AfterAll
    void nothingIsLeft() throws Exception {
        if (world != null) {
            world.end();
            assertThat(traces(List.of())).isEqualTo(before);
        }
    }

    @Override
    protected ContainerRuntime runtime() {
        return world.runtime();
    }

    @Override
    protected ContainerId shared() {
        return shared;
    }

    @Override
    protected Path workspace() {
        return workspace;
    }

    @Override
    protected String workspaceInside() {
        return BootConfiguration.WORKSPACE;
    }

    @Override
    protected int uid() {
        return MicroVmWorld.USER;
    }

    @Override
    protected int unknownUid() {
        return NOBODYS;
    }

    private static IntStream stops() {
        return IntStream.rangeClosed(1, STOPS);
    }

    @ParameterizedTest(name = "machine {0}")
    @MethodSource("stops")
    void willingGuestSwitchesItselfOffBeforeTheKillAndLeavesNothing(int machine) throws Exception {
        Traces none = traces(List.of());
        ContainerId id = started();
        assertThat(text(runtime().exec(id, ExecSpec.of("echo", "there")).stdout()))
                .isEqualTo("there\n");
        List<Integer> sessions = List.copyOf(world.programs(id).values());
        assertThat(chancesToBeKilled(sessions)).isNotEmpty().containsOnly("500");
        runtime().stop(id, LONG_GRACE);
        assertThat(refusalIn(id)).hasMessageContaining("it was stopped: it switched itself off");
        assertThat(world.console(id)).contains("reboot: Power down");
        assertThat(traces(sessions).processes()).isEqualTo(none.processes());
        assertThat(traces(sessions).sockets()).isEqualTo(none.sockets());
        runtime().remove(id);
        assertThat(traces(sessions)).isEqualTo(none);
    }

    private Traces traces(List<Integer> sessions) throws IOException {
        return Traces.of(world.sessions(), workspace, sessions);
    }

    /** Of whatever works for a machine, also of what its programs have started. */
    private static List<String> chancesToBeKilled(List<Integer> sessions) throws IOException {
        List<String> scores = new ArrayList<>();
        for (ProcessStat process : ProcFs.processes()) {
            if (sessions.contains(process.session()) && !process.isDead()) {
                scores.add(Files.readString(Path.of("/proc/" + process.pid() + "/oom_score_adj"))
                        .strip());
            }
        }
        return scores;
    }

    private CommandException refusalIn(ContainerId id) {
        return catchThrowableOfType(CommandException.class, () -> runtime().exec(id, ExecSpec.of("true")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtiofsd", "passt", "vhost-device-vsock"})
    void programThatIsKilledFailsTheMachineSoonWhateverItsCommandsDo(String program) throws Exception {
        failsSoonWithout(program, started(), workspaceInside());
    }

    @Test
    void workspaceThatIsKilledFailsAWarmMachineAsSoon() throws Exception {
        ContainerId id = warm();
        world.runtime().giveData(id, Files.createDirectory(workspace.resolve("given-and-killed")));
        world.runtime().provision(id);
        failsSoonWithout(Helpers.WORKSPACE, id, MicroVmRuntime.LATE_DATA);
    }

    private void failsSoonWithout(String program, ContainerId id, String written) throws Exception {
        StreamingExec busy = runtime()
                .execStreaming(
                        id, StreamingExecSpec.of("sh", "-c", "echo; while :; do date >" + written + "/now; done"));
        assertThat(busy.stdout().read()).isEqualTo('\n');
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                Future<CommandException> idle =
                        threads.submit(failureOf(() -> runtime().exec(id, ExecSpec.of("sleep", "3911"))));
                awaitSleeping(id, "3911", true);
                Future<CommandException> writing =
                        threads.submit(failureOf(() -> busy.child().waitFor()));
                killServer(world.programs(id).get(program));
                for (Future<CommandException> failure : List.of(idle, writing)) {
                    CommandException told = failure.get(PROMISED.toNanos(), TimeUnit.NANOSECONDS);
                    assertThat(told.reason()).isEqualTo(Reason.TRANSPORT);
                    assertThat(told)
                            .hasMessageMatching("(?s).*: " + program
                                    + " (was killed by signal 9|ended with status \\d+) while the machine ran: .*");
                }
                assertThat(refusalIn(id).reason()).isEqualTo(Reason.NOT_READY);
            } finally {
                runtime().remove(id);
            }
        }
    }

    /** A machine that was booted for nobody. */
    private ContainerId warm() throws Exception {
        return new WarmMicroVms(world.runtime(), uid(), Map.of("PATH", "/usr/bin:/bin")).boot();
    }

    @Test
    void warmMachineKeepsNothingBesideItsDataAndLeavesNothing() throws Exception {
        Traces none = traces(List.of());
        Path data = Files.createDirectory(workspace.resolve("given"));
        Files.writeString(data.resolve("in"), "given\n");
        ContainerId id = warm();
        List<Integer> sessions = List.copyOf(world.programs(id).values());
        world.runtime().giveData(id, data);
        world.runtime().provision(id);
        String script = "cd /workspace; cat data/in; echo kept >data/out; grep -c ' /workspace/data ' /proc/self/mounts"
                + "; head -c 10M /dev/zero >big; for i in $(seq 20); do mkdir $i || break; done; rm -rf [!d]*; ls -A";
        ExecOutput output = runtime().exec(id, ExecSpec.of("sh", "-c", script));
        assertThat(text(output.stdout())).isEqualTo("given\n1\ndata\n");
        assertThat(text(output.stderr()).lines().toList())
                .hasSize(2)
                .allMatch(line -> line.endsWith("No space left on device"));
        assertThat(data.resolve("out")).hasContent("kept\n");
        assertThat(world.sessions().resolve(id.value()).resolve("workspace")).isEmptyDirectory();
        runtime().stop(id, LONG_GRACE);
        assertThat(traces(sessions).processes()).isEqualTo(none.processes());
        assertThat(traces(sessions).sockets()).isEqualTo(none.sockets());
        runtime().remove(id);
        assertThat(traces(sessions)).isEqualTo(none);
        assertThat(data.resolve("out")).hasContent("kept\n");
    }

    private static Callable<CommandException> failureOf(Callable<?> command) {
        return () -> catchThrowableOfType(CommandException.class, command::call);
    }

    /** The one of a program's processes that does the work, which was started last. */
    private static void killServer(int session) throws IOException {
        int server = ProcFs.processes().stream()
                .filter(process -> process.session() == session)
                .max(Comparator.comparingLong(ProcessStat::startTime).thenComparingInt(ProcessStat::pid))
                .orElseThrow()
                .pid();
        ProcessHandle.of(server).orElseThrow().destroyForcibly();
    }

    /** Its own routes are a guest's to take back: this one has none. */
    @Test
    void guestThatShutsNothingOutReachesNoMetadataService() throws Exception {
        Assumptions.assumeTrue(
                world.weakness().isEmpty(), () -> world.weakness().orElseThrow());
        Path own = Files.createDirectory(directory.resolve("hostile"));
        String shut = "(?m)^step network ip .*route replace unreachable .*$";
        MicroVmWorld hostile = MicroVmWorld.open(own.resolve("run"), ChangedInit.image(own, init -> {
            assertThat(init).containsPattern(shut);
            return init.replaceAll(shut, "");
        }));
        try {
            ContainerId id = hostile.runtime().create(spec());
            hostile.runtime().start(id);
            for (InetSocketAddress address : MicroVmWorld.METADATA) {
                String device = "/dev/tcp/" + address.getHostString() + "/" + address.getPort();
                ExecSpec connect = ExecSpec.of("timeout", "10", "bash", "-c", "exec 3<>" + device);
                ExecOutput output = hostile.runtime().exec(id, connect.withTimeout(BOUND));
                assertThat(text(output.stderr()))
                        .as("%s: %d", device, output.exitCode())
                        .contains("Connection refused");
            }
        } finally {
            hostile.end();
        }
    }

    @Test
    void supervisorThatDiesTakesTheMachineAlong() throws Exception {
        Path own = Files.createDirectory(directory.resolve("mortal"));
        MicroVmWorld mortal = MicroVmWorld.open(own.resolve("run"), MortalSupervisor.image(own));
        try {
            ContainerId id = mortal.runtime().create(spec());
            mortal.runtime().start(id);
            ExecSpec kill = ExecSpec.of("sh", "-c", MortalSupervisor.KILL).withTimeout(BOUND);
            CommandException failure = catchThrowableOfType(
                    CommandException.class, () -> mortal.runtime().exec(id, kill));
            assertThat(failure.reason()).isEqualTo(Reason.TRANSPORT);
            // virtiofsd ends with the machine, and may be seen first.
            assertThat(failure)
                    .hasMessageMatching("(?s).*: (qemu|virtiofsd) ended with status 0 while the machine ran: .*");
            assertThat(mortal.console(id)).contains("Attempted to kill init");
        } finally {
            mortal.end();
        }
    }

    @Test
    void hundredCommandsWithMuchOutputAtOnceAreWholeAndTheSupervisorStaysSmall() throws Exception {
        List<Future<ExecOutput>> outputs = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                outputs.add(threads.submit(() -> exec(ExecSpec.of("head", "-c", "100000", "/dev/zero"))));
            }
        }
        for (Future<ExecOutput> output : outputs) {
            assertThat(output.get().stdout()).hasSize(100_000);
        }
        String peak = outputOf("grep VmHWM /proc/1/status").replaceAll("\\D", "");
        assertThat(Long.parseLong(peak) / 1024).isLessThan(PEAK_MEBIBYTES);
    }
}
