package io.carlos.guest.rpc;

import io.carlos.guest.exec.ExecRefusedException;
import io.carlos.guest.state.GuestState;
import io.carlos.guest.state.WrongStateException;
import io.grpc.Status;

/** What a refusal is on the wire. */
final class Statuses {
    private Statuses() {}

    static Status of(WrongStateException e) {
        Status status = switch (e.state()) {
            case GuestState.Stopping ignored -> Status.UNAVAILABLE;
            case GuestState.Booting ignored -> Status.FAILED_PRECONDITION;
            case GuestState.Ready ignored -> Status.FAILED_PRECONDITION;
            case GuestState.Provisioned ignored -> Status.FAILED_PRECONDITION;
        };
        return status.withDescription(e.getMessage());
    }

    static Status of(ExecRefusedException e) {
        Status status = switch (e.reason()) {
            case ARGUMENT -> Status.INVALID_ARGUMENT;
            case IDENTITY, NOT_EXECUTABLE -> Status.PERMISSION_DENIED;
            case NOT_FOUND -> Status.NOT_FOUND;
            case NO_ROOM -> Status.RESOURCE_EXHAUSTED;
            case STOPPING -> Status.UNAVAILABLE;
        };
        return status.withDescription(e.getMessage());
    }

    /** A failure of the supervisor itself; the log has the rest. */
    static Status internal(String what, Throwable cause) {
        return Status.INTERNAL.withDescription(what + ": " + cause).withCause(cause);
    }
}
