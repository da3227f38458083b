package io.carlos.agent.service.metrics;

import io.carlos.store.ObjectKey;
import java.time.Duration;
import java.util.Locale;

/** Told of each call of a store, by whoever made it, when it is over; must not wait. */
public interface StoreCalls {
    enum Operation {
        GET,
        PUT,
        DELETE,
        LIST;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a call ended. */
    enum Outcome {
        OK,
        /** A condition did not hold. */
        CONFLICT,
        FAILED;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    void ended(Operation operation, Outcome outcome, Duration took);

    /** Told beside {@link #ended} of a put, with how many bytes it had. */
    void put(ObjectKey key, int bytes, Outcome outcome);
}
