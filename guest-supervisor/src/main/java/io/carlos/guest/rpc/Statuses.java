package io.carlos.guest.rpc;

import io.carlos.guest.exec.ExecRefusedException;
import io.carlos.guest.state.GuestState;
import io.carlos.guest.state.WrongStateException;
import io.carlos.model.linux.Printable;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a refusal is on the wire. */
final class Statuses {
    /**
     * Of a description on the wire. It is sent among the headers behind a response: when those are over 8 KiB, the other
     * side breaks off the connection, and every call on it with it.
     */
    static final int MAX_DESCRIPTION_BYTES = 512;

    private static final String CUT = "...";

    private Statuses() {}

    static Status of(WrongStateException e) {
        Status status = switch (e.state()) {
            case GuestState.Stopping ignored -> Status.UNAVAILABLE;
            case GuestState.Booting ignored -> Status.FAILED_PRECONDITION;
            case GuestState.Ready ignored -> Status.FAILED_PRECONDITION;
            case GuestState.Provisioned ignored -> Status.FAILED_PRECONDITION;
        };
        return described(status, e.getMessage());
    }

    static Status of(ExecRefusedException e) {
        Status status = switch (e.reason()) {
            case ARGUMENT -> Status.INVALID_ARGUMENT;
            case IDENTITY, NOT_EXECUTABLE -> Status.PERMISSION_DENIED;
            case NOT_FOUND -> Status.NOT_FOUND;
            case NO_ROOM -> Status.RESOURCE_EXHAUSTED;
            case KILLED -> Status.ABORTED;
            case STOPPING -> Status.UNAVAILABLE;
        };
        return described(status, e.getMessage());
    }

    /** A status with a text that may have come from a stranger: made printable, and cut where it is too long. */
    static Status described(Status status, @Nullable String text) {
        String printable = Printable.of(text == null ? "" : text);
        int end = 0;
        int bytes = 0;
        while (end < printable.length()) {
            int character = printable.codePointAt(end);
            bytes += bytesOnTheWire(character);
            if (bytes > MAX_DESCRIPTION_BYTES - CUT.length()) {
                return status.withDescription(printable.substring(0, end) + CUT);
            }
            end += Character.charCount(character);
        }
        return status.withDescription(printable);
    }

    /** What is not plain ASCII is sent as a percent sign and two digits for each byte of UTF-8. */
    private static int bytesOnTheWire(int character) {
        boolean plain = character >= ' ' && character <= '~' && character != '%';
        return plain ? 1 : 3 * Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
    }

    /** A failure of the supervisor itself; the log has the rest. */
    static Status internal(String what, @Nullable Throwable cause) {
        return described(Status.INTERNAL, what + ": " + cause).withCause(cause);
    }
}
