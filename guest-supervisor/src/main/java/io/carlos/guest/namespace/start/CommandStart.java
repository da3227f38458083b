package io.carlos.guest.namespace.start;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.start.StartReport;
import io.carlos.model.start.StartRequest;
import io.carlos.model.start.StartStep;

/**
 * Becomes a command of a user. The supervisor of a guest, which is root, starts this program in a session of its own with
 * the command's standard streams, no environment and a channel. Over the channel comes a {@link StartRequest} and goes a
 * {@link StartReport}: nothing of the request is in an argument list or in the environment of a process that is root.
 *
 * <p>Only here, in a process of its own, are the user's ids taken on: whoever has them can signal this process, which is
 * to be his, and never the supervisor. Nobody can look into it before the program is executed.
 */
public final class CommandStart {
    /** Of the channel; what is above it is closed. */
    static final int CHANNEL = 3;

    private static final int CAPABILITIES = 64;
    private static final byte[] THIS_PROCESS = {'0'};

    private final Syscalls calls;
    private StartStep step = StartStep.REQUEST;

    public CommandStart(Syscalls calls) {
        this.calls = calls;
    }

    /**
     * Returns only when the program was not executed.
     *
     * @return whether somebody was told why
     */
    public boolean run() {
        StartStepFailed failure;
        try {
            StartRequest request = receive();
            step = StartStep.CONTROL_GROUP;
            enterControlGroup(request.controlGroup());
            step = StartStep.IDENTITY;
            becomeUser(request);
            step = StartStep.WORKING_DIRECTORY;
            enter(request.workingDirectory());
            step = StartStep.PROGRAM;
            failure = execute(request);
        } catch (StartStepFailed e) {
            failure = e;
        } catch (IllegalArgumentException e) {
            failure = new StartStepFailed(step, Errno.EINVAL);
        } catch (RuntimeException e) {
            // What else goes wrong in here is memory.
            failure = new StartStepFailed(step, Errno.ENOMEM);
        }
        return say(StartReport.failed(failure.step(), failure.errno()));
    }

    private StartRequest receive() {
        check(StartStep.REQUEST, calls.closeOnExecuteFrom(CHANNEL));
        byte[] length = new byte[StartRequest.LENGTH_BYTES];
        fill(length);
        int count = StartRequest.lengthIn(length);
        if (count < 0 || count > StartRequest.MAX_BYTES) {
            throw new StartStepFailed(StartStep.REQUEST, Errno.EINVAL);
        }
        byte[] request = new byte[count];
        fill(request);
        return StartRequest.decode(request);
    }

    private void fill(byte[] buffer) {
        int length = 0;
        while (length < buffer.length) {
            int count = check(StartStep.REQUEST, calls.read(CHANNEL, buffer, length, buffer.length - length));
            if (count == 0) {
                throw new StartStepFailed(StartStep.REQUEST, Errno.EINVAL);
            }
            length += count;
        }
    }

    private void enterControlGroup(String directory) {
        if (directory.isEmpty()) {
            return;
        }
        int processes = check(
                StartStep.CONTROL_GROUP,
                calls.open(FileCalls.WORKING_DIRECTORY, directory + "/cgroup.procs", OpenMode.WRITE));
        check(StartStep.CONTROL_GROUP, calls.write(processes, THIS_PROCESS, 0, THIS_PROCESS.length));
        calls.close(processes);
    }

    private void becomeUser(StartRequest request) {
        checkIdentity(calls.neverGainPrivileges());
        checkIdentity(calls.dropAmbientCapabilities());
        dropBoundingSet();
        checkIdentity(calls.leaveGroups());
        checkIdentity(calls.setGroup(request.user().gid()));
        checkIdentity(calls.setUser(request.user().uid()));
        // The change of ids does the same where /proc/sys/fs/suid_dumpable is not 1.
        checkIdentity(calls.hide());
        // Leaving root empties the other sets, but not the inheritable one, and only as long as no secure bit forbids
        // it.
        checkIdentity(calls.dropCapabilities());
    }

    private void dropBoundingSet() {
        for (int capability = 0; capability < CAPABILITIES; capability++) {
            int result = calls.dropBoundingCapability(capability);
            if (result == -Errno.EINVAL) {
                // The kernel knows no more capabilities than those before this one.
                return;
            }
            checkIdentity(result);
        }
    }

    private void checkIdentity(int result) {
        check(StartStep.IDENTITY, result);
    }

    private void enter(String directory) {
        check(
                StartStep.WORKING_DIRECTORY,
                ProgramSearch.isPath(directory) ? calls.changeDirectory(directory) : -Errno.ENAMETOOLONG);
    }

    private StartStepFailed execute(StartRequest request) {
        String program = new ProgramSearch(calls).find(request.arguments().name(), request.searchPath());
        calls.resetSignals();
        calls.unblockSignals();
        step = StartStep.EXECUTE;
        say(StartReport.executing());
        return new StartStepFailed(StartStep.EXECUTE, -calls.execute(program, request.arguments()));
    }

    private boolean say(byte[] report) {
        return calls.write(CHANNEL, report, 0, report.length) == report.length;
    }

    private static int check(StartStep step, int result) {
        if (result < 0) {
            throw new StartStepFailed(step, -result);
        }
        return result;
    }
}
