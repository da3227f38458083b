package io.carlos.agent.reconcile;

import io.carlos.agent.fleet.TakeOver;
import io.carlos.model.records.InstanceRecord;
import java.util.function.Predicate;

/**
 * Which records a box makes its own.
 *
 * @param eligible asked of records in scope that are not in the trash
 * @param capacity the most instances that the box has at a time
 * @param takeOver what is done about the records of a box that is lost
 */
public record ClaimPolicy(Predicate<InstanceRecord> eligible, int capacity, TakeOver takeOver) {
    public ClaimPolicy {
        if (capacity < 0) {
            throw new IllegalArgumentException("claims: the capacity is " + capacity + ", expected 0 or more");
        }
    }

    /** Everything eligible that has no box. */
    public static ClaimPolicy unowned(Predicate<InstanceRecord> eligible) {
        return new ClaimPolicy(eligible, Integer.MAX_VALUE, TakeOver.OPERATOR);
    }
}
