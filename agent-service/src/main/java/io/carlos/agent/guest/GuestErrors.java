package io.carlos.agent.guest;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.CommandTimeoutException;
import io.carlos.model.linux.Printable;
import io.grpc.Status;

/** What an error on the wire means to a caller. */
final class GuestErrors {
    private GuestErrors() {}

    /** @param what names the call, for the message */
    static CommandException of(String what, Throwable cause) {
        Status status = Status.fromThrowable(cause);
        String text = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        String detail = Printable.of(text);
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> new CommandTimeoutException(what + ": " + detail, cause);
            case FAILED_PRECONDITION -> new CommandException(Reason.NOT_READY, what, detail, cause);
            case INVALID_ARGUMENT -> new CommandException(Reason.INVALID, what, detail, cause);
            case PERMISSION_DENIED -> new CommandException(Reason.DENIED, what, detail, cause);
            case NOT_FOUND -> new CommandException(Reason.NOT_FOUND, what, detail, cause);
            case RESOURCE_EXHAUSTED -> new CommandException(Reason.LIMIT, what, detail, cause);
            case CANCELLED -> new CommandException(Reason.CANCELLED, what, detail, cause);
            case UNIMPLEMENTED -> new CommandException(Reason.UNSUPPORTED, what, detail, cause);
            case OK,
                    UNKNOWN,
                    ALREADY_EXISTS,
                    ABORTED,
                    OUT_OF_RANGE,
                    INTERNAL,
                    UNAVAILABLE,
                    DATA_LOSS,
                    UNAUTHENTICATED -> new CommandException(Reason.TRANSPORT, what, detail, cause);
        };
    }
}
