package io.carlos.guest.exec;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.process.ChildChannel;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.PosixSpawn;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.SpawnRequest;
import io.carlos.model.linux.process.UserIdentity;
import io.carlos.model.start.ArgumentBlock;
import io.carlos.model.start.StartReport;
import io.carlos.model.start.StartRequest;
import io.carlos.model.start.StartStep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * For a supervisor that is root: runs commands as anybody else, by a program that takes on the user's ids in the child
 * and then becomes the command. No thread of the supervisor is ever anybody but root, so that no command can signal it.
 *
 * @param program the native program, see {@link io.carlos.guest.namespace.start.CommandStart}
 */
record NativeStarter(GroupLookup groups, Path program) implements ChildStarter {
    private static final List<String> ARGV = List.of("carlos", "guest-exec");

    @Override
    public void prepareThread() {
        // Privileges are given up in the child.
    }

    @Override
    public boolean entersControlGroups() {
        return true;
    }

    @Override
    public PipedProcess start(ExecCommand command, PendingStart start) throws ExecRefusedException {
        try {
            UserIdentity user = new UserIdentity(command.uid(), groups.groupOf(command.uid()));
            StartRequest request = request(command, user);
            if (request.isTooLong()) {
                throw ProgramStart.refused(
                        command, new ProcessCallException("execve", command.program(), ProcessCallException.E2BIG));
            }
            try (ChildChannel channel = ChildChannel.open()) {
                return start(command, request, channel, start);
            }
        } catch (ProcessCallException e) {
            if (ProgramStart.lacksRoom(e)) {
                throw ProgramStart.refused(command, e);
            }
            throw new UncheckedIOException(program + ": cannot start commands; look at the file and its mount", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StartRequest request(ExecCommand command, UserIdentity user) {
        List<String> environment = new ArrayList<>();
        command.environment().forEach((name, value) -> environment.add(name + "=" + value));
        return new StartRequest(
                user,
                command.controlGroup().map(Path::toString).orElse(""),
                command.workingDirectory(),
                command.searchPath(),
                ArgumentBlock.of(command.argv(), environment));
    }

    private PipedProcess start(ExecCommand command, StartRequest request, ChildChannel channel, PendingStart start)
            throws ProcessCallException, ExecRefusedException {
        SpawnRequest spawn = new SpawnRequest(program.toString(), ARGV, Map.of(), Path.of("/"));
        PipedProcess process = PosixSpawn.spawnPiped(spawn, request.user(), channel);
        try {
            start.spawned(process.child());
            StartReport report = StartReport.parse(exchange(request, channel));
            switch (report) {
                case StartReport.Executed() -> {
                    return process;
                }
                case StartReport.Failed failed -> throw refusal(command, failed);
                case StartReport.BrokenOff() ->
                    throw new StartBrokenOffException(
                            process.child(),
                            program + ": ended before it had started "
                                    + "a command; is it of the same version as this supervisor?");
            }
        } catch (ProcessCallException | ExecRefusedException | RuntimeException | Error e) {
            // Without its channel it ends, and its end is taken like an orphan's.
            process.closeStreams();
            throw e;
        }
    }

    private static byte[] exchange(StartRequest request, ChildChannel channel) throws ProcessCallException {
        try {
            channel.write(request.encode());
        } catch (ProcessCallException e) {
            // It ended, or gave up, while it was told what to do, and may have said why.
            if (e.errno() != ProcessCallException.EPIPE && e.errno() != ProcessCallException.ECONNRESET) {
                throw e;
            }
        }
        return channel.readToEnd(StartReport.MAX_BYTES);
    }

    private static ExecRefusedException refusal(ExecCommand command, StartReport.Failed failed) {
        ProcessCallException cause = new ProcessCallException(
                "start",
                "step " + failed.step() + " as uid " + Integer.toUnsignedString(command.uid()),
                failed.errno());
        if (failed.step() != StartStep.EXECUTE && ProgramStart.lacksRoom(cause)) {
            return new ExecRefusedException(
                    Reason.NO_ROOM, "no room for another command: " + cause.getMessage(), cause);
        }
        return switch (failed.step()) {
            case REQUEST, CONTROL_GROUP ->
                throw new IllegalStateException("the native program cannot do its part of a start", cause);
            case IDENTITY -> SwitchingStarter.identityRefused(command, cause);
            case WORKING_DIRECTORY -> ProgramStart.workingDirectoryRefused(command, cause);
            case PROGRAM ->
                failed.errno() == ProcessCallException.ENOENT
                        ? ProgramStart.notFound(command)
                        : ProgramStart.notExecutable(command);
            case EXECUTE ->
                ProgramStart.refused(command, new ProcessCallException("execve", command.program(), failed.errno()));
        };
    }
}
