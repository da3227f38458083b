package io.carlos.agent.container.podman;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.start.StartReport;

/** Says of a start that failed who has to change what. */
final class CommandRefusals {
    private CommandRefusals() {}

    static CommandException of(String subject, CommandRequest request, StartReport.Failed failed) {
        ProcessCallException cause = new ProcessCallException("start", request.program(), failed.errno());
        return new CommandException(
                reason(failed), subject + ": " + text(request, failed) + ": " + cause.getMessage(), cause);
    }

    private static Reason reason(StartReport.Failed failed) {
        return switch (failed.step()) {
            case REQUEST, CONTROL_GROUP -> Reason.TRANSPORT;
            case IDENTITY -> lacksRoom(failed.errno()) ? Reason.LIMIT : Reason.DENIED;
            case WORKING_DIRECTORY -> Reason.INVALID;
            case PROGRAM -> failed.errno() == ProcessCallException.ENOENT ? Reason.NOT_FOUND : Reason.DENIED;
            case EXECUTE ->
                switch (failed.errno()) {
                    case ProcessCallException.ENOENT, ProcessCallException.ENOTDIR, ProcessCallException.ELOOP ->
                        Reason.NOT_FOUND;
                    case ProcessCallException.EACCES, ProcessCallException.EPERM, ProcessCallException.ETXTBSY ->
                        Reason.DENIED;
                    default -> lacksRoom(failed.errno()) ? Reason.LIMIT : Reason.INVALID;
                };
        };
    }

    private static boolean lacksRoom(int errno) {
        return errno == ProcessCallException.EAGAIN || errno == ProcessCallException.ENOMEM;
    }

    private static String text(CommandRequest request, StartReport.Failed failed) {
        return switch (failed.step()) {
            case REQUEST -> "the native program did not understand the request; is it of this agent's version?";
            case CONTROL_GROUP -> "no control group was asked for";
            case IDENTITY -> "uid " + Integer.toUnsignedString(request.uid()) + " cannot be taken on";
            case WORKING_DIRECTORY -> "the working directory is not there for this user";
            case PROGRAM -> "no file that this user may execute";
            case EXECUTE -> "the program could not be executed";
        };
    }
}
