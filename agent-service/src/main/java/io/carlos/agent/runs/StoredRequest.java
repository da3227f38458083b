package io.carlos.agent.runs;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.runs.RunRequest;
import io.carlos.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is stored of a run's request. It was stored before the record named the run and is never changed, so whatever is
 * found stays as it is.
 */
sealed interface StoredRequest {
    record Readable(RunRequest request) implements StoredRequest {}

    /**
     * No box can ever execute it.
     *
     * @param why one sentence for the person who asked
     */
    record Unusable(String why) implements StoredRequest {}

    /** @param object an answer of the store; a store that failed to answer says nothing about the request */
    static StoredRequest of(Optional<StoredObject> object) {
        if (object.isEmpty()) {
            return new Unusable("its request is not stored");
        }
        try {
            return new Readable(
                    CarlosJson.read("run request", object.get().value(), RunRequest.class, RunRequest.SCHEMA));
        } catch (InvalidDocumentException e) {
            return new Unusable("its request cannot be read: " + e.getMessage());
        }
    }

    /** How long the command may take. */
    default Duration timeout() {
        return switch (this) {
            case Readable(RunRequest request) -> request.timeout();
            case Unusable _ -> RunRequest.DEFAULT_TIMEOUT;
        };
    }

    /** How long ago it was asked for; zero when its clock is ahead, or nobody can tell. */
    default Duration waited(Instant now) {
        return switch (this) {
            case Readable(RunRequest request)
            when request.requestedAt().isBefore(now) -> Duration.between(request.requestedAt(), now);
            case Readable _, Unusable _ -> Duration.ZERO;
        };
    }
}
