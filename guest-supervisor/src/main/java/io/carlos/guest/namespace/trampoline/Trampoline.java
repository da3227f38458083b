package io.carlos.guest.namespace.trampoline;

import io.carlos.guest.namespace.calls.BoxDirectories;
import io.carlos.guest.namespace.calls.Environment;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.guest.namespace.calls.WaitStatus;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the command of an instance's launch file as a child, stays as process 1 of the namespace, and keeps the status
 * file: {@code running} before the command starts, then {@code exited} or {@code killed}.
 *
 * <p>Process 1 of a namespace gets no signal that it has no handler for. Were the command process 1, a SIGTERM would do
 * nothing to most programs, and a stop would kill them after its timeout.
 */
public final class Trampoline {
    /** The exit status when the trampoline itself refuses to start a command. */
    public static final int REFUSED = 125;

    private static final String INVOCATION_VARIABLE = "INVOCATION_ID";

    private final Syscalls calls;
    private final Files files;
    private final LongSupplier clock;
    private final Consumer<String> complaints;

    /**
     * @param clock milliseconds since 1970
     * @param complaints takes one line for each refusal
     */
    public Trampoline(Syscalls calls, LongSupplier clock, Consumer<String> complaints) {
        this.calls = calls;
        this.files = new Files(calls);
        this.clock = clock;
        this.complaints = complaints;
    }

    /**
     * Runs the command to its end.
     *
     * @return the status to exit with: the command's, 128 and its signal's number after a signal, 125 when it was
     *     refused, 126 when its program is not executable, 127 when that is not there
     */
    public int run(String role, String id) {
        // First of all, so that a SIGTERM from here on waits for the command instead of ending the trampoline.
        calls.blockSignals();
        // A disposition of "ignored" outlives execve, as that of SIGPIPE in a unit does; an ignored SIGCHLD would even
        // take the command's status away.
        calls.resetSignals();
        StatusWriter status = null;
        try {
            Environment environment = new Environment(calls.environment());
            BoxDirectories box = BoxDirectories.of(environment);
            Role checkedRole = Role.of(role);
            InstanceId checkedId = InstanceId.of(id);
            int runDirectory = files.openDirectory(box.instanceRun(checkedId));
            status = new StatusWriter(files, clock, runDirectory, checkedRole, invocation(environment));
            return run(readLaunchFile(box, checkedRole, checkedId), status);
        } catch (RefusedException e) {
            return refuse(e.getMessage(), e.exitStatus(), status);
        } catch (RuntimeException e) {
            return refuse(e.getMessage(), REFUSED, status);
        }
    }

    private int run(LaunchFile launch, StatusWriter status) {
        if (calls.processId() != 1) {
            calls.adoptOrphans();
        }
        status.write(Cause.RUNNING, 0);
        int child = new ChildStarter(calls).start(launch);
        WaitStatus end = new ChildSupervisor(calls).supervise(child);
        try {
            status.write(end.signalled() ? Cause.KILLED : Cause.EXITED, end.code());
        } catch (RuntimeException e) {
            // The command did run, so its own status is still the one to exit with.
            complaints.accept("status file: " + e.getMessage());
        }
        return end.exitStatus();
    }

    /** The file's name is one checked name, so that opening it needs no more than not to follow a link. */
    private LaunchFile readLaunchFile(BoxDirectories box, Role role, InstanceId id) {
        int directory = files.openDirectory(box.instanceData(id));
        // One byte more than allowed tells a file of the greatest length from a longer one.
        byte[] bytes = files.read(directory, LaunchFile.fileName(role), OpenMode.READ, LaunchFile.MAX_BYTES + 1);
        calls.close(directory);
        LaunchFile launch = LaunchFile.read(bytes);
        launch.checkProgram(box.live(), id);
        return launch;
    }

    private static InvocationId invocation(Environment environment) {
        String id = environment.find(INVOCATION_VARIABLE);
        if (id == null) {
            throw new RefusedException(INVOCATION_VARIABLE + " is not set; systemd sets it for its units", REFUSED);
        }
        return InvocationId.of(id);
    }

    private int refuse(@Nullable String why, int exitStatus, @Nullable StatusWriter status) {
        String line = String.valueOf(why);
        if (status != null) {
            try {
                status.write(Cause.REFUSED, exitStatus);
            } catch (RuntimeException e) {
                line += "; status file: " + e.getMessage();
            }
        }
        complaints.accept(line);
        return exitStatus;
    }
}
