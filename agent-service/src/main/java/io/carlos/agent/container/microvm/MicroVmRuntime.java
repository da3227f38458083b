package io.carlos.agent.container.microvm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.MountRefusedException;
import io.carlos.agent.container.NameInUseException;
import io.carlos.agent.container.NoSuchContainerException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Every container is a virtual machine of its own, whose process 1 is the supervisor. It has one mount, read and
 * written at {@value BootConfiguration#WORKSPACE}, and no other. A specification's command and capabilities mean nothing
 * to it: the supervisor is what a machine runs.
 *
 * <p>When one of the programs of a machine ends, its commands fail and the others are killed: a machine without its
 * workspace's program would hang, and none is ever left half alive.
 */
public final class MicroVmRuntime implements ContainerRuntime {
    /** Where a guest has the data that it was given late. */
    public static final String LATE_DATA = BootConfiguration.WORKSPACE + "/" + LateData.NAME;

    private static final String EXPECTED_MOUNT = "one, read and written at " + BootConfiguration.WORKSPACE;

    private final MicroVmSettings settings;
    private final VirtualMachineMonitor monitor;
    private final GuestDialer dialer;
    private final MicroVmListener listener;
    private final BootPermission permission;
    private final MachineRoom room;
    private final SecureRandom random = new SecureRandom();
    private final Map<ContainerId, Session> sessions = new ConcurrentHashMap<>();

    /** Of the sessions, and of those that are being created. */
    private final Map<String, ContainerId> names = new ConcurrentHashMap<>();

    private volatile boolean closed;

    private MicroVmRuntime(
            MicroVmSettings settings,
            VirtualMachineMonitor monitor,
            GuestDialer dialer,
            MicroVmListener listener,
            BootPermission permission) {
        this.settings = settings;
        this.monitor = monitor;
        this.dialer = dialer;
        this.listener = listener;
        this.permission = permission;
        this.room = new MachineRoom(settings.machines());
    }

    /**
     * Ends what an earlier agent left, which nobody knows any more, and is ready for more. One runtime at a time may have
     * a run root.
     *
     * @param listener hears of the boots
     * @param permission asked before each machine is made
     * @throws IllegalStateException when a process of an earlier session does not die; it is named
     */
    public static MicroVmRuntime open(
            MicroVmSettings settings,
            VirtualMachineMonitor monitor,
            GuestDialer dialer,
            MicroVmListener listener,
            BootPermission permission)
            throws IOException, InterruptedException {
        PrivateDirectory.make(settings.sessions());
        LeftSessions.clean(settings.sessions());
        return new MicroVmRuntime(settings, monitor, dialer, listener, permission);
    }

    /**
     * Ends what an earlier agent left, on a box that has no runtime any more.
     *
     * @param runRoot the directory that the runtime's settings named
     * @throws IllegalStateException when a process of an earlier session does not die; it is named
     */
    public static void clean(Path runRoot) throws IOException, InterruptedException {
        Path sessions = runRoot.resolve(MicroVmSettings.SESSIONS);
        if (Files.isDirectory(sessions, LinkOption.NOFOLLOW_LINKS)) {
            PrivateDirectory.make(sessions);
            LeftSessions.clean(sessions);
        }
    }

    @Override
    public ContainerId create(ContainerSpec spec) throws ContainerException {
        Path workspace = workspace(spec);
        return create(spec, directory -> workspace);
    }

    /**
     * Prepares a container whose data are not known yet: {@link #giveData} has them appear at {@value #LATE_DATA}, between
     * its boot and its provision. The rest of its workspace is empty, and goes with it.
     */
    public ContainerId createForLateData(String name, int uid, Map<String, String> environment)
            throws ContainerException {
        return create(
                new ContainerSpec(name, List.of(), Set.of(), List.of(), uid, environment),
                SessionDirectory::makeOwnWorkspace);
    }

    /** Decides upon a session's workspace. */
    private interface WorkspaceChoice {
        Path in(SessionDirectory directory) throws IOException;
    }

    private ContainerId create(ContainerSpec spec, WorkspaceChoice choice) throws ContainerException {
        Optional<String> objection = permission.objection();
        if (objection.isPresent()) {
            throw new ContainerException(spec.name() + ": no virtual machine is made: " + objection.get(), null);
        }
        ContainerId id = ContainerId.random(random);
        if (names.putIfAbsent(spec.name(), id) != null) {
            throw new NameInUseException(spec.name());
        }
        try {
            SessionDirectory directory = SessionDirectory.create(settings.sessions(), id);
            Path workspace = choice.in(directory);
            Machine machine = new Machine(directory, spec.name(), workspace);
            sessions.put(id, new Session(spec, directory, workspace, machine, () -> room.leave(id)));
            // Only now: whoever closes looks at the sessions after it has said so, and sees this one or is seen.
            if (closed) {
                sessions.remove(id);
                directory.remove();
                throw new IOException("the runtime is closed");
            }
            return id;
        } catch (IOException e) {
            names.remove(spec.name());
            throw new ContainerException(
                    spec.name() + ": its session's directory cannot be made: " + e.getMessage(), e);
        }
    }

    private static Path workspace(ContainerSpec spec) throws MountRefusedException {
        for (Mount mount : spec.mounts()) {
            boolean isWorkspace = mount.target().equals(BootConfiguration.WORKSPACE) && !mount.readOnly();
            if (!isWorkspace || mount != spec.mounts().getFirst()) {
                throw new MountRefusedException(spec.name(), mount, EXPECTED_MOUNT);
            }
            if (!Files.isDirectory(mount.source())) {
                throw new MountRefusedException(spec.name(), mount, "a directory that exists");
            }
        }
        if (spec.mounts().isEmpty()) {
            throw new IllegalArgumentException(spec.name() + " has no mount: expected " + EXPECTED_MOUNT);
        }
        return spec.mounts().getFirst().source();
    }

    @Override
    public void start(ContainerId id, BooleanSupplier wanted) throws ContainerException, InterruptedException {
        boot(id, wanted);
        provision(id);
    }

    /**
     * The first and long part of {@link #start}: until the guest is ready to be told for whom it will be. Waits while as
     * many machines are on as may be.
     *
     * @param wanted as of {@link #start}
     */
    public void boot(ContainerId id, BooleanSupplier wanted) throws ContainerException, InterruptedException {
        Session session = session(id);
        session.requireNotStarted();
        if (!room.enter(id, () -> !wanted.getAsBoolean() || session.whyEnded().isPresent())) {
            throw new ContainerException(
                    session + ": given up while it waited for room: "
                            + session.whyEnded().orElse("it is not wanted any more"),
                    null);
        }
        bootInRoom(id, session, wanted);
    }

    /**
     * As {@link #boot}, for a machine that nobody needs yet.
     *
     * @throws ContainerException there is no room, or others wait for it, besides what a boot fails by
     */
    public void bootAhead(ContainerId id) throws ContainerException, InterruptedException {
        Session session = session(id);
        if (!room.tryEnter(id)) {
            throw new ContainerException(session + ": not booted ahead of need: there is no room to spare", null);
        }
        bootInRoom(id, session, () -> true);
    }

    /** Whether a machine could be booted ahead of need. */
    public boolean hasRoom() {
        return room.hasRoom();
    }

    /** Whether a start waits for room. */
    public boolean isRoomAwaited() {
        return room.isAwaited();
    }

    private void bootInRoom(ContainerId id, Session session, BooleanSupplier wanted)
            throws ContainerException, InterruptedException {
        try {
            boot(session, wanted);
        } finally {
            // Also when it was stopped or removed just before it had its place.
            if (session.isGone() || !sessions.containsKey(id)) {
                room.leave(id);
            }
        }
    }

    private void boot(Session session, BooleanSupplier wanted) throws ContainerException, InterruptedException {
        byte[] nonce = new byte[BootConfiguration.NONCE_BYTES];
        random.nextBytes(nonce);
        BootConfiguration configuration = new BootConfiguration(
                session.directory(), session.workspace(), nonce, settings.size(), session.takesLateData());
        long start = System.nanoTime();
        boolean booted = false;
        try {
            session.boot(
                    configuration,
                    monitor.plan(configuration),
                    dialer,
                    new Boot.Bounds(settings.helperBound(), settings.bootBudget()),
                    wanted);
            booted = true;
        } finally {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            if (booted) {
                listener.booted(took);
            } else {
                listener.bootFailed(took);
            }
        }
    }

    /**
     * Has a directory of this machine appear in one that was created for it, and is ready.
     *
     * @throws ContainerException it does not, and the machine has ended
     */
    public void giveData(ContainerId id, Path source) throws ContainerException, InterruptedException {
        session(id).giveData(source, settings.helperBound());
    }

    /** The rest of {@link #start}, as the container's specification has it. */
    public void provision(ContainerId id) throws ContainerException, InterruptedException {
        session(id).provision();
    }

    /** How many machines are on, boot or stop. */
    public int machines() {
        return room.taken();
    }

    /** Whether a container is booted and could be provisioned. */
    public boolean isReady(ContainerId id) {
        Session session = sessions.get(id);
        return session != null && session.isReady();
    }

    /** Why a container, which was started, takes no commands any more; empty while it does, and when it is not known. */
    public Optional<String> whyEnded(ContainerId id) {
        Session session = sessions.get(id);
        return session == null ? Optional.empty() : session.whyEnded();
    }

    @Override
    public ExecOutput exec(ContainerId id, ExecSpec spec) throws CommandException, InterruptedException {
        return sessionForCommand(id).exec(spec);
    }

    @Override
    public StreamingExec execStreaming(ContainerId id, StreamingExecSpec spec)
            throws CommandException, InterruptedException {
        return sessionForCommand(id).execStreaming(spec);
    }

    @Override
    public void stop(ContainerId id, Duration timeout) throws ContainerException, InterruptedException {
        Session session = sessions.get(id);
        if (session != null) {
            session.stop(timeout);
        }
    }

    @Override
    public void remove(ContainerId id) throws ContainerException, InterruptedException {
        Session session = sessions.get(id);
        if (session == null) {
            return;
        }
        session.stop(Duration.ZERO);
        try {
            session.directory().remove();
        } catch (IOException e) {
            throw new ContainerException(session + ": its directory is left: " + e.getMessage(), e);
        }
        sessions.remove(id);
        names.remove(session.name(), id);
        room.leave(id);
    }

    @Override
    public boolean exists(String name) {
        return names.containsKey(name);
    }

    @Override
    public String mountLabel(ContainerId id) throws ContainerException {
        session(id);
        return "";
    }

    private Session session(ContainerId id) throws NoSuchContainerException {
        Session session = sessions.get(id);
        if (session == null) {
            throw new NoSuchContainerException(id);
        }
        return session;
    }

    private Session sessionForCommand(ContainerId id) throws CommandException {
        try {
            return session(id);
        } catch (NoSuchContainerException e) {
            throw new CommandException(CommandException.Reason.NOT_READY, String.valueOf(e.getMessage()), e);
        }
    }

    /** Makes no more, and removes every container, also when one of them cannot be removed, which is told at the end. */
    public void close() throws ContainerException, InterruptedException {
        closed = true;
        removeEach(sessions.keySet());
    }
}
