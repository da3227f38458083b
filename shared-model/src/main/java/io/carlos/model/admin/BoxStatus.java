package io.carlos.model.admin;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a box is.
 *
 * @param box its name in the store
 * @param epoch the number of this start of its agent
 * @param startedAt when this agent started
 * @param mayWrite whether it may act on what it owns: nobody can have taken the box for lost
 * @param lastPass the newest complete pass over the records; null when there was none yet
 * @param passFailure why the newest pass was not complete; null when it was
 * @param instances how many instances are in which state
 */
public record BoxStatus(
        String box,
        String region,
        long epoch,
        Instant startedAt,
        boolean mayWrite,
        DrainState drain,
        @Nullable Pass lastPass,
        @Nullable String passFailure,
        Map<String, Long> instances) {
    public BoxStatus {
        instances = Map.copyOf(instances);
    }

    /** One pass over the records; {@code read} are those that had changed. */
    public record Pass(Instant at, long tookMs, int listed, int read, int unreadable, int claimed) {}
}
