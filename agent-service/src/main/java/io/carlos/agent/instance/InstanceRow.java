package io.carlos.agent.instance;

import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Seed;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a box knows of one instance, also when the store is out of reach.
 *
 * @param record the record it comes from
 * @param recordVersion the version that was last seen of it
 * @param incarnation whose data the instance's directory holds
 * @param memoryMax bytes
 * @param seed the seed as the record had it
 * @param seedCommitted whether the seed has succeeded on this box
 * @param invocation the start of the program that runs, or was last started; null when there was none
 * @param reason one sentence on how it came to its state; empty when there is nothing to say
 * @param since when it came to its state
 */
public record InstanceRow(
        int schema,
        RecordRef record,
        long recordVersion,
        Incarnation incarnation,
        Isolation isolation,
        long memoryMax,
        Map<String, String> env,
        @Nullable Seed seed,
        boolean seedCommitted,
        Desired desired,
        InstanceState state,
        @Nullable InvocationId invocation,
        String reason,
        Instant since) {
    public static final int SCHEMA = 1;

    public InstanceRow {
        env = Map.copyOf(env);
    }

    /** The row of a record that this box did not have before. */
    static InstanceRow created(InstanceRecord record, Instant now) {
        return new InstanceRow(
                SCHEMA,
                record.ref(),
                record.version(),
                record.incarnation(),
                record.isolation(),
                record.memoryMax(),
                record.env(),
                record.seed(),
                false,
                Desired.RUN,
                InstanceState.STOPPED,
                null,
                "",
                now);
    }

    public Host host() {
        return record.host();
    }

    public InstanceId id() {
        return InstanceId.of(host());
    }

    /** Whether a seed has to succeed before the instance's program starts. */
    public boolean needsSeed() {
        return seed != null && seed.state() != Seed.State.COMMITTED && !seedCommitted;
    }

    /** Whether it says the same as the record, so that nothing has to be written. */
    boolean isUpToDate(InstanceRecord newest) {
        return desired != Desired.GONE
                && recordVersion == newest.version()
                && incarnation.equals(newest.incarnation())
                && record.equals(newest.ref());
    }

    /** The same instance as a newer version of its record describes it; what it says of a start is for the next one. */
    InstanceRow updated(InstanceRecord newest) {
        return new InstanceRow(
                SCHEMA,
                newest.ref(),
                newest.version(),
                incarnation,
                newest.isolation(),
                newest.memoryMax(),
                newest.env(),
                newest.seed(),
                seedCommitted,
                desired,
                state,
                invocation,
                reason,
                since);
    }

    InstanceRow withDesired(Desired wanted) {
        return with(seedCommitted, wanted, state, invocation, reason, since);
    }

    InstanceRow withSeedCommitted() {
        return with(true, desired, state, invocation, reason, since);
    }

    InstanceRow withState(InstanceState next, String why, Instant now) {
        return with(seedCommitted, desired, next, invocation, why, now);
    }

    InstanceRow running(InvocationId started, Instant now) {
        return with(seedCommitted, desired, InstanceState.RUNNING, started, "", now);
    }

    private InstanceRow with(
            boolean committed,
            Desired wanted,
            InstanceState next,
            @Nullable InvocationId started,
            String why,
            Instant now) {
        return new InstanceRow(
                SCHEMA,
                record,
                recordVersion,
                incarnation,
                isolation,
                memoryMax,
                env,
                seed,
                committed,
                wanted,
                next,
                started,
                why,
                now);
    }

    /** Without the environment, which may hold secrets. */
    @Override
    public String toString() {
        return "InstanceRow[record=" + record + ", state=" + state + ", desired=" + desired + "]";
    }
}
