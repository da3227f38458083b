package io.carlos.cli.exit;

import io.carlos.cli.console.OutputException;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.UnreadableRecordException;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.StoreUnavailableException;
import java.util.Optional;

/**
 * What the user is told of an exception that ended a command.
 *
 * @param exit the reason, with its exit code
 * @param sentence for stderr; empty when there is nobody to read it or nothing to say
 */
public record Failure(CliExit exit, Optional<String> sentence) {

    public static Failure of(Throwable thrown) {
        return switch (thrown) {
            case CliException e -> new Failure(e.exit(), Optional.of(e.getMessage()));
            case InterruptedException _ -> new Failure(CliExit.INTERRUPTED, Optional.empty());
            case StoreUnavailableException e ->
                new Failure(CliExit.UNAVAILABLE, Optional.of("the store is not available: " + message(e)));
            case AmbiguousWriteException e ->
                new Failure(
                        CliExit.UNAVAILABLE,
                        Optional.of("the store's answer was lost, so what was asked may have been done; look before you"
                                + " ask again: " + message(e)));
            case UnreadableRecordException e ->
                new Failure(
                        CliExit.UNAVAILABLE,
                        Optional.of(message(e) + "; a newer version of carlos may have written it"));
            case RecordContendedException e ->
                new Failure(CliExit.UNAVAILABLE, Optional.of(message(e) + "; nothing was changed, ask again"));
            default -> outputFailure(thrown).orElseGet(() -> internal(thrown));
        };
    }

    /** A failed write may have been wrapped on its way up, and it is never the fault of whoever wrapped it. */
    private static Optional<Failure> outputFailure(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutputException output) {
                return Optional.of(
                        output.readerGone()
                                ? new Failure(CliExit.READER_GONE, Optional.empty())
                                : new Failure(CliExit.OUTPUT, Optional.of(message(output))));
            }
        }
        return Optional.empty();
    }

    private static Failure internal(Throwable thrown) {
        return new Failure(
                CliExit.INTERNAL,
                Optional.of("this is a defect of carlos: " + thrown.getClass().getSimpleName() + ": " + message(thrown)
                        + "; run it again with --verbose to see where, and report that"));
    }

    private static String message(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null ? "without a message" : message;
    }
}
