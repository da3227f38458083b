package io.carlos.control.verb;

import io.carlos.control.ready.NotReadyException;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a seed to its end and stops its unit. How it ended is read before: systemd forgets it with the stop. */
public final class SeedVerb {
    private static final Logger log = LoggerFactory.getLogger(SeedVerb.class);
    private static final List<UnitProperty> ASKED = List.of(
            UnitProperty.INVOCATION_ID,
            UnitProperty.ACTIVE_STATE,
            UnitProperty.RESULT,
            UnitProperty.EXEC_MAIN_STATUS,
            UnitProperty.EXEC_MAIN_CODE);

    /** The {@code TimeoutStartSec=} of the seed's template. */
    private static final Duration SEED_TIME = Duration.ofSeconds(120);

    private final UnitManager systemd;
    private final Starts starts;
    private final StopSequence stopSequence;
    private final StatusFiles statusFiles;

    public SeedVerb(UnitManager systemd, Starts starts, StopSequence stopSequence, StatusFiles statusFiles) {
        this.systemd = systemd;
        this.starts = starts;
        this.stopSequence = stopSequence;
        this.statusFiles = statusFiles;
    }

    /**
     * Also a seed that failed is an answer. One that was left behind, ended, is stopped first: it is never answered again.
     *
     * @throws BusyException when the last seed still runs, for somebody who has gone
     */
    public SeedAnswer seed(Host host, MemoryTier tier, Deadline deadline)
            throws BusyException, NotReadyException, ExpiredException, FailedStartException, InterruptedException {
        UnitName name = UnitName.of(Role.SEED, host);
        return starts.inTurn(
                name,
                deadline,
                () -> {
                    Optional<InvocationId> before = makeRoom(name);
                    systemd.setMemory(name.slice(), tier);
                    return before;
                },
                before -> {
                    SeedAnswer answer = run(name, before);
                    end(name);
                    return answer;
                });
    }

    /** The invocation that is there before the start. */
    private Optional<InvocationId> makeRoom(UnitName name)
            throws SystemdException, BusyException, UnfinishedException, InterruptedException {
        UnitStatus before = systemd.show(Unit.of(name), ASKED);
        if (before.isActivating()) {
            throw new BusyException("seed: " + name + ": the seed before it still runs; stop it, or ask again later");
        }
        if (!before.isInactive()) {
            stopSequence.stop(name);
        }
        return before.invocation();
    }

    private SeedAnswer run(UnitName name, Optional<InvocationId> before)
            throws SystemdException, UnfinishedException, InterruptedException {
        Unit unit = Unit.of(name);
        long start = System.nanoTime();
        SystemdException refusal = null;
        try {
            systemd.start(unit);
        } catch (SystemdException e) {
            refusal = e;
        }
        // systemd may hold the seed for ended while it runs: what it shows counts only when nobody is left.
        stopSequence.awaitEmpty(name, SEED_TIME.minusNanos(System.nanoTime() - start));
        return answer(name, before, systemd.show(unit, ASKED), refusal);
    }

    /** A failed start is the seed's own failure only when systemd shows an invocation that it made and that failed. */
    private SeedAnswer answer(
            UnitName name, Optional<InvocationId> before, UnitStatus status, @Nullable SystemdException refusal)
            throws SystemdException {
        Optional<InvocationId> invocation = status.invocation().filter(id -> !before.equals(Optional.of(id)));
        boolean ran = invocation.isPresent()
                && !status.isActivating()
                && (refusal == null || !status.result().equals(SeedEnd.SUCCESS));
        if (!ran) {
            throw refusal != null
                    ? refusal
                    : new SystemdException("seed: " + name
                            + ": systemd started it, but shows no invocation that was not there before");
        }
        return SeedEnd.of(invocation.get(), status, statusFiles.read(name, invocation.get()));
    }

    /** The seed has run, and must not be run again for want of an answer: the next one stops what is left. */
    private void end(UnitName name) throws InterruptedException {
        try {
            stopSequence.stop(name);
        } catch (SystemdException | UnfinishedException e) {
            log.warn("seed: {}: it has ended, but its unit did not stop: {}", name, e.getMessage());
        }
    }
}
