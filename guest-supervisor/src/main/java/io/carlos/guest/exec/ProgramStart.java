package io.carlos.guest.exec;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.Printable;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.PosixSpawn;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.ProgramLookup;
import io.carlos.model.linux.process.SpawnRequest;
import io.carlos.model.linux.process.UserIdentity;
import java.util.Optional;

/**
 * Executes a command's program, and tells why it could not. What can be known before is looked at before, with the
 * user's eyes: a failed start says by one number what was wrong with one of several files.
 */
final class ProgramStart {
    private ProgramStart() {}

    /** As the user of this process. */
    static PipedProcess start(ExecCommand command) throws ExecRefusedException {
        return execute(command, find(command), Optional.empty());
    }

    /**
     * The file to execute, as the calling thread's effective user finds it.
     *
     * @throws ExecRefusedException when that user cannot execute it, or not in this working directory
     */
    static String find(ExecCommand command) throws ExecRefusedException {
        requireWorkingDirectory(command);
        return switch (ProgramLookup.lookUp(command.program(), command.searchPath(), command.workingDirectory())) {
            case ProgramLookup.Found(String program) -> program;
            case ProgramLookup.NotFound() -> throw notFound(command);
            case ProgramLookup.NotExecutable() -> throw notExecutable(command);
        };
    }

    static ExecRefusedException notFound(ExecCommand command) {
        return new ExecRefusedException(Reason.NOT_FOUND, subject(command) + "not found");
    }

    static ExecRefusedException notExecutable(ExecCommand command) {
        return new ExecRefusedException(
                Reason.NOT_EXECUTABLE, subject(command) + "not a file that this user may execute");
    }

    private static void requireWorkingDirectory(ExecCommand command) throws ExecRefusedException {
        if (!ProgramLookup.mayStartIn(command.workingDirectory())) {
            throw workingDirectoryRefused(command);
        }
    }

    static ExecRefusedException workingDirectoryRefused(ExecCommand command) {
        return new ExecRefusedException(
                Reason.ARGUMENT,
                "the working directory "
                        + Printable.shortened(command.workingDirectory().toString())
                        + " is no directory, or one out of this user's reach");
    }

    /** Executes what was found, as the calling thread's real user. */
    static PipedProcess execute(ExecCommand command, String program, Optional<UserIdentity> owner)
            throws ExecRefusedException {
        try {
            return PosixSpawn.spawnPiped(
                    new SpawnRequest(program, command.argv(), command.environment(), command.workingDirectory()),
                    owner);
        } catch (ProcessCallException e) {
            throw refused(command, e);
        }
    }

    /** What the error of an execution, or of the start of a process, tells about a command. */
    static ExecRefusedException refused(ExecCommand command, ProcessCallException e) {
        if (lacksRoom(e)) {
            return refused(Reason.NO_ROOM, command, "no room for another process", e);
        }
        return switch (e.errno()) {
            case ProcessCallException.ENOENT, ProcessCallException.ENOTDIR, ProcessCallException.ELOOP ->
                refused(Reason.NOT_FOUND, command, "it, or the interpreter it names, was not found", e);
            case ProcessCallException.EACCES, ProcessCallException.EPERM ->
                refused(Reason.NOT_EXECUTABLE, command, "permission denied", e);
            case ProcessCallException.ENOEXEC ->
                refused(Reason.ARGUMENT, command, "not a program of this machine; a script starts with #!", e);
            case ProcessCallException.E2BIG ->
                refused(Reason.ARGUMENT, command, "arguments and environment are too long for the kernel", e);
            case ProcessCallException.ETXTBSY ->
                refused(Reason.NOT_EXECUTABLE, command, "somebody has it open for writing", e);
            default -> refused(Reason.ARGUMENT, command, "could not be executed", e);
        };
    }

    static boolean lacksRoom(ProcessCallException e) {
        return switch (e.errno()) {
            case ProcessCallException.EAGAIN,
                    ProcessCallException.ENOMEM,
                    ProcessCallException.EMFILE,
                    ProcessCallException.ENFILE -> true;
            default -> false;
        };
    }

    private static ExecRefusedException refused(
            Reason reason, ExecCommand command, String text, ProcessCallException cause) {
        return new ExecRefusedException(reason, subject(command) + text + ": " + cause.getMessage(), cause);
    }

    private static String subject(ExecCommand command) {
        return Printable.shortened(command.program()) + ": ";
    }
}
