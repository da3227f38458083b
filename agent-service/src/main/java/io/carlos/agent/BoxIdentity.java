package io.carlos.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who this agent is among the boxes of a store.
 *
 * @param name the box's label, the owner that records name; a segment of a key
 * @param bootId a fresh token for each start of the agent: what an earlier start was doing is known to be over
 * @param epoch the number of that start, among those of this name that show themselves to a fleet; 0 outside of one
 * @param region the region whose records are in scope
 * @param pools records of other pools are out of scope; a record without pools is in every box's
 */
public record BoxIdentity(String name, String bootId, long epoch, String region, List<String> pools) {
    public BoxIdentity {
        pools = List.copyOf(pools);
    }

    /** A box outside of a fleet. */
    public BoxIdentity(String name, String bootId, String region, List<String> pools) {
        this(name, bootId, 0, region, pools);
    }

    /** What the claims of this start carry. */
    public @Nullable Long claimEpoch() {
        return epoch == 0 ? null : epoch;
    }
}
