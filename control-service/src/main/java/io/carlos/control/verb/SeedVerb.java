package io.carlos.control.verb;

import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.control.unit.UnitProperty;
import io.carlos.control.unit.UnitStatus;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Runs a seed to its end and stops its unit. How it ended is read before: systemd forgets it with the stop. */
public final class SeedVerb {
    private static final String SUCCESS = "success";
    private static final List<UnitProperty> ASKED = List.of(
            UnitProperty.INVOCATION_ID,
            UnitProperty.RESULT,
            UnitProperty.EXEC_MAIN_STATUS,
            UnitProperty.EXEC_MAIN_CODE);

    private final UnitManager systemd;
    private final Starts starts;
    private final StopSequence stopSequence;

    /** What a failed start shows may be how the seed before it ended; each is answered once. */
    private final Map<UnitName, InvocationId> answered = new ConcurrentHashMap<>();

    public SeedVerb(UnitManager systemd, Starts starts, StopSequence stopSequence) {
        this.systemd = systemd;
        this.starts = starts;
        this.stopSequence = stopSequence;
    }

    /** Also a seed that failed is an answer. */
    public SeedAnswer seed(Host host, MemoryTier tier)
            throws SystemdException, BusyException, UnfinishedException, InterruptedException {
        UnitName name = UnitName.of(Role.SEED, host);
        return starts.inTurn(name, () -> seed(name, tier));
    }

    private SeedAnswer seed(UnitName name, MemoryTier tier)
            throws SystemdException, UnfinishedException, InterruptedException {
        Unit unit = Unit.of(name);
        systemd.setMemory(name.slice(), tier);
        SystemdException refusal = null;
        try {
            systemd.start(unit);
        } catch (SystemdException e) {
            refusal = e;
        }
        SeedAnswer answer = answer(name, systemd.show(unit, ASKED), refusal);
        answered.put(name, answer.invocationId());
        end(name);
        return answer;
    }

    /** A failed start is the seed's own failure only when systemd shows a new invocation that failed. */
    private SeedAnswer answer(UnitName name, UnitStatus status, @Nullable SystemdException refusal)
            throws SystemdException {
        Optional<InvocationId> invocation = status.invocation();
        boolean ran = invocation.isPresent()
                && (refusal == null
                        || (!status.result().equals(SUCCESS)
                                && !invocation.get().equals(answered.get(name))));
        if (!ran) {
            throw refusal != null
                    ? refusal
                    : new SystemdException("seed: " + name + ": systemd started it, but shows no invocation");
        }
        return new SeedAnswer(invocation.get(), status.result(), status.mainStatus(), status.mainCode());
    }

    /** The stop comes in any case, so that a seed that left processes behind does not keep them. */
    private void end(UnitName name) throws SystemdException, UnfinishedException, InterruptedException {
        UnfinishedException remaining = null;
        try {
            stopSequence.awaitEmpty(name);
        } catch (UnfinishedException e) {
            remaining = e;
        } catch (IOException e) {
            remaining = new UnfinishedException("seed: " + name + ": its control group cannot be read", e);
        }
        stopSequence.stop(name);
        if (remaining != null) {
            throw remaining;
        }
    }
}
