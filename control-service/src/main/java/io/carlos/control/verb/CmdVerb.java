package io.carlos.control.verb;

import io.carlos.control.cgroup.CgroupWatch;
import io.carlos.control.ready.NotReadyException;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.control.unit.UnitProperty;
import io.carlos.control.unit.UnitStatus;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.StartAnswer;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Starts a one-off command, and tells where it is. */
public final class CmdVerb {
    private static final List<UnitProperty> ASKED = List.of(
            UnitProperty.INVOCATION_ID,
            UnitProperty.ACTIVE_STATE,
            UnitProperty.SUB_STATE,
            UnitProperty.RESULT,
            UnitProperty.EXEC_MAIN_STATUS,
            UnitProperty.EXEC_MAIN_CODE);

    private final UnitManager systemd;
    private final CgroupWatch cgroups;
    private final Starts starts;
    private final CmdTimes times;

    /**
     * @param invocation how long a queued start has to get its invocation
     * @param looks at a unit whose invocation is awaited; the longest pause is also that between two looks at a unit that
     *     runs, as far as systemd knows, without a process
     */
    record CmdTimes(Duration invocation, Looks looks) {
        static final CmdTimes DEFAULT =
                new CmdTimes(Duration.ofSeconds(10), new Looks(Duration.ofMillis(5), Duration.ofMillis(100)));
    }

    public CmdVerb(UnitManager systemd, CgroupWatch cgroups, Starts starts) {
        this(systemd, cgroups, starts, CmdTimes.DEFAULT);
    }

    CmdVerb(UnitManager systemd, CgroupWatch cgroups, Starts starts, CmdTimes times) {
        this.systemd = systemd;
        this.cgroups = cgroups;
        this.starts = starts;
        this.times = times;
    }

    /**
     * Returns when the command is about to run.
     *
     * @throws StillLoadedException when the unit is there from the last command; it has to be stopped, and reset when it failed
     */
    public StartAnswer start(Host host, MemoryTier tier, Deadline deadline)
            throws BusyException, NotReadyException, ExpiredException, FailedStartException, InterruptedException {
        UnitName name = UnitName.of(Role.CMD, host);
        Unit unit = Unit.of(name);
        return starts.inTurn(
                name,
                deadline,
                () -> {
                    Optional<InvocationId> before = invocationOfUnloaded(unit);
                    systemd.setMemory(name.slice(), tier);
                    return before;
                },
                () -> systemd.startInBackground(unit),
                before -> new StartAnswer(awaitInvocation(unit, before)));
    }

    private Optional<InvocationId> invocationOfUnloaded(Unit unit)
            throws SystemdException, BusyException, InterruptedException {
        UnitStatus status = systemd.show(unit, ASKED);
        if (!status.isInactive()) {
            throw new StillLoadedException("cmd: " + unit + ": it is still loaded, as "
                    + status.get(UnitProperty.ACTIVE_STATE) + "; stop it, or reset it when it failed");
        }
        return status.invocation();
    }

    /** @param old the invocation that the unit had before */
    private InvocationId awaitInvocation(Unit unit, Optional<InvocationId> old)
            throws SystemdException, UnfinishedException, InterruptedException {
        long start = System.nanoTime();
        Duration pause = times.looks().first();
        while (true) {
            Optional<InvocationId> invocation = systemd.invocation(unit);
            if (invocation.isPresent() && !invocation.equals(old)) {
                return invocation.get();
            }
            if (System.nanoTime() - start > times.invocation().toNanos()) {
                throw new UnfinishedException("cmd: " + unit + ": its start was queued, but has no invocation after "
                        + times.invocation().toSeconds() + " s; systemctl status tells why");
            }
            Thread.sleep(pause);
            pause = times.looks().after(pause);
        }
    }

    /** Answers as soon as the command is not running, and when the wait is over. */
    public CmdAnswer poll(Host host, InvocationId invocation, Duration wait)
            throws SystemdException, UnfinishedException, InterruptedException {
        UnitName name = UnitName.of(Role.CMD, host);
        long deadline = System.nanoTime() + wait.toNanos();
        try {
            while (true) {
                // In this order: an empty group that is seen first may be that of a command about to start.
                UnitStatus status = systemd.show(Unit.of(name), ASKED);
                boolean empty = cgroups.isEmpty(name);
                CmdAnswer answer = answer(invocation, status, empty);
                Duration left = Duration.ofNanos(deadline - System.nanoTime());
                if (!left.isPositive() || !answer.equals(CmdAnswer.running(invocation))) {
                    return answer;
                }
                if (empty) {
                    Duration pause = times.looks().longest();
                    Thread.sleep(left.compareTo(pause) < 0 ? left : pause);
                } else {
                    cgroups.awaitEmpty(name, left);
                }
            }
        } catch (IOException e) {
            throw new UnfinishedException("cmd: " + name + ": its control group cannot be read: " + e.getMessage(), e);
        }
    }

    /** systemd may hold a oneshot for ended whose command still runs: the control group has the last word. */
    private static CmdAnswer answer(InvocationId invocation, UnitStatus status, boolean empty) {
        boolean asked = status.invocation().filter(invocation::equals).isPresent();
        if (!asked || status.isInactive()) {
            return CmdAnswer.gone(invocation);
        }
        if (!empty || !status.isEnded()) {
            return CmdAnswer.running(invocation);
        }
        return CmdAnswer.done(invocation, status.result(), status.mainStatus(), status.mainCode());
    }
}
