package io.carlos.model.runs;

import java.io.IOException;

/** Takes what a follower sees, in order, each chunk once. */
public interface FollowListener {
    /**
     * The next chunk.
     *
     * @param seq one more than the last
     * @throws IOException the listener can take no more; following ends with it
     */
    void chunk(long seq, OutputChannel channel, byte[] bytes) throws IOException;

    /** The run's present state, each time the follower looked at the record and it had changed. */
    default void state(ActiveRun run) {}
}
