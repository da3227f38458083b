package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.StartFailedException;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A runtime whose programs are scripts of a shell and whose guests are values, so that each can fail as it is told. */
public final class StandInWorld implements AutoCloseable {
    public static final String WAITS = "exec sleep 3909";

    private final Path runRoot;
    private final Path workspace;
    private final MicroVmRuntime runtime;
    private final Map<String, String> helpers = new LinkedHashMap<>();
    private final List<ServerSocketChannel> listeners = new CopyOnWriteArrayList<>();
    private final List<ScriptedGuest> guests = new CopyOnWriteArrayList<>();
    private final List<String> boots = new CopyOnWriteArrayList<>();
    private String machine = "echo booting; " + WAITS;
    private boolean listening = true;
    private Function<byte[], ScriptedGuest.Answers> answers = StandInWorld::healthy;

    public StandInWorld(Path directory) throws IOException, InterruptedException {
        this(directory, Duration.ofSeconds(60), Duration.ofSeconds(60));
    }

    StandInWorld(Path directory, Duration helperBound, Duration bootBudget) throws IOException, InterruptedException {
        this(directory, helperBound, bootBudget, 64, BootPermission.GIVEN);
    }

    /** @param machines how many may be on */
    StandInWorld(Path directory, int machines) throws IOException, InterruptedException {
        this(directory, Duration.ofSeconds(60), Duration.ofSeconds(60), machines, BootPermission.GIVEN);
    }

    StandInWorld(Path directory, BootPermission permission) throws IOException, InterruptedException {
        this(directory, Duration.ofSeconds(60), Duration.ofSeconds(60), 64, permission);
    }

    private StandInWorld(
            Path directory, Duration helperBound, Duration bootBudget, int machines, BootPermission permission)
            throws IOException, InterruptedException {
        runRoot = directory.resolve("run");
        workspace = Files.createDirectories(directory.resolve("workspace"));
        byte[][] nonce = new byte[1][];
        runtime = MicroVmRuntime.open(
                new MicroVmSettings(runRoot, MachineSize.SMALL, helperBound, bootBudget, machines),
                boot -> {
                    nonce[0] = boot.nonce();
                    return plan(boot.directory());
                },
                socket -> {
                    ScriptedGuest guest = new ScriptedGuest(answers.apply(nonce[0]));
                    guests.add(guest);
                    return guest;
                },
                new MicroVmListener() {
                    @Override
                    public void booted(Duration took) {
                        boots.add("ready");
                    }

                    @Override
                    public void bootFailed(Duration took) {
                        boots.add("failed");
                    }
                },
                permission);
    }

    static ScriptedGuest.Answers healthy(byte[] nonce) {
        return () -> new Guest.Health("1", true, true, nonce);
    }

    /** What was told of each boot. */
    List<String> boots() {
        return boots;
    }

    /** Helpers are started in the order in which they are given. */
    public StandInWorld helper(String name, String script) {
        helpers.put(name, script);
        return this;
    }

    public StandInWorld lateData() {
        return lateData(":");
    }

    /**
     * A virtiofsd that can be given data. A real one listens only when it is within its namespaces, and here the guest is
     * not ready before.
     *
     * @param also what is done there when it has its workspace
     */
    StandInWorld lateData(String also) {
        Path within = runRoot.resolveSibling("within");
        answers = nonce -> () -> new Guest.Health("1", true, Files.exists(within), nonce);
        return helper(
                "virtiofsd",
                "exec unshare --user --map-root-user --mount --propagation private --fork --kill-child sh -c '"
                        + "mount -t tmpfs none workspace && mkdir workspace/data && " + also + " && : >" + within + "; "
                        + WAITS + "'");
    }

    StandInWorld machine(String script) {
        machine = script;
        return this;
    }

    StandInWorld guest(Function<byte[], ScriptedGuest.Answers> other) {
        answers = other;
        return this;
    }

    /** No helper ever listens. */
    StandInWorld deaf() {
        listening = false;
        return this;
    }

    private MachinePlan plan(SessionDirectory directory) {
        List<Path> sockets = List.of(directory.workspaceSocket(), directory.networkSocket());
        List<ProgramSpec> specs = new ArrayList<>();
        helpers.forEach((name, script) -> {
            Path socket = sockets.get(specs.size());
            if (listening) {
                listen(socket);
            }
            specs.add(ProgramSpec.listening(name, socket, argv(script)));
        });
        return new MachinePlan(specs, new ProgramSpec("machine", argv(machine), Optional.empty()));
    }

    private static List<String> argv(String script) {
        return script.startsWith("/") ? List.of(script) : List.of("/bin/sh", "-c", script);
    }

    /** In the place of the helper. */
    private void listen(Path socket) {
        try {
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listeners.add(listener.bind(UnixDomainSocketAddress.of(socket)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public MicroVmRuntime runtime() {
        return runtime;
    }

    ContainerId create() throws ContainerException {
        return create("one");
    }

    ContainerId create(String name) throws ContainerException {
        return runtime.create(
                ContainerSpec.of(name, Mount.readWrite(workspace, BootConfiguration.WORKSPACE), 1000, Map.of()));
    }

    ContainerId started() throws ContainerException, InterruptedException {
        ContainerId id = create();
        runtime.start(id);
        return id;
    }

    /** Of a start that must fail, and leave nothing. */
    StartFailedException failure() throws IOException, InterruptedException {
        ContainerId id = create();
        StartFailedException failure = catchThrowableOfType(StartFailedException.class, () -> runtime.start(id));
        assertThat(failure).as("the start's failure").isNotNull().hasMessageContaining(id.value());
        assertNothingRuns(id);
        runtime.remove(id);
        assertThat(runRoot.resolve("microvm")).isEmptyDirectory();
        return failure;
    }

    void assertNothingRuns(ContainerId id) throws IOException {
        assertThat(processes(id)).as("processes").isEmpty();
        try (var files = Files.list(directory(id))) {
            assertThat(files.filter(file -> !file.toString().matches(".*\\.(log|json)")))
                    .as("sockets")
                    .isEmpty();
        }
        assertThat(guests).as("connections").allMatch(ScriptedGuest::isClosed);
    }

    public Path directory(ContainerId id) {
        return runRoot.resolve("microvm").resolve(id.value());
    }

    public List<ProcessStat> processes(ContainerId id) throws IOException {
        List<ProcessStat> found = new ArrayList<>();
        for (ProcessStat process : ProcFs.processes()) {
            if (!process.isDead()
                    && ProcFs.environmentVariable(process.pid(), LeftSessions.MARK)
                            .filter(directory(id).toString()::equals)
                            .isPresent()) {
                found.add(process);
            }
        }
        return found;
    }

    void awaitEnd(ContainerId id) {
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (runtime.whyEnded(id).isEmpty()) {
            assertThat(System.nanoTime()).as("%s has not ended", id).isLessThan(until);
            Thread.onSpinWait();
        }
    }

    /** The process of one of a running container's programs. */
    int pid(ContainerId id, String program) throws IOException {
        return SessionRecord.read(SessionDirectory.of(runRoot.resolve("microvm"), id)).orElseThrow().programs().stream()
                .filter(started -> started.program().equals(program))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    static CommandException refused() {
        return new CommandException(CommandException.Reason.NOT_READY, "the guest is provisioned already", null);
    }

    @Override
    public void close() throws IOException {
        for (ServerSocketChannel listener : listeners) {
            listener.close();
        }
    }
}
