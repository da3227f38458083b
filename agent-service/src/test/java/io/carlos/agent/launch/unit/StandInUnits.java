package io.carlos.agent.launch.unit;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A control service, systemd and trampoline in one: runs command units as child processes of this JVM. Of a command's end
 * it says what systemd may say: a success, whatever happened. As there, a unit that failed stays loaded, also when it is
 * stopped, until it is reset, and a stop withdraws a start that is under way.
 */
final class StandInUnits implements ControlChannel {
    private final BoxPaths paths;
    private final Duration grace;
    private final Map<Host, StandInUnit> loaded = new ConcurrentHashMap<>();
    private final Set<Host> starting = ConcurrentHashMap.newKeySet();
    private volatile Effect whileStarting = host -> {};
    private @Nullable LongSupplier clockOfNext;
    private @Nullable Unread unread;

    /** A start that its caller has given up. */
    private record Unread(Host host, LongSupplier clock, long deadline) {}

    /** Something that happens to a host's unit. */
    @FunctionalInterface
    interface Effect {
        void happen(Host host) throws InterruptedException;
    }

    StandInUnits(BoxPaths paths, Duration grace) {
        this.paths = paths;
        this.grace = grace;
    }

    /**
     * The next start is given up without an answer and waits to be read. It is read when the start after it is sent, and
     * before that.
     */
    void leaveNextStartUnread(LongSupplier clock) {
        clockOfNext = clock;
    }

    @Override
    public InvocationId startCmd(Host host, MemoryTier memory) throws ControlException, InterruptedException {
        @Nullable LongSupplier clock = clockOfNext;
        clockOfNext = null;
        if (clock != null) {
            unread = new Unread(host, clock, clock.getAsLong() + START_WINDOW.toNanos());
            throw new ControlException(Outcome.MAY_RUN, "cmd: " + host + ": no answer");
        }
        @Nullable Unread late = unread;
        unread = null;
        if (late != null && late.clock.getAsLong() < late.deadline) {
            start(late.host);
        }
        return start(host);
    }

    private InvocationId start(Host host) throws ControlException, InterruptedException {
        InvocationId invocation = newInvocation();
        StandInUnit unit = new StandInUnit(paths, host, invocation);
        if (loaded.putIfAbsent(host, unit) != null) {
            throw new ControlException(Outcome.STILL_LOADED, "cmd: " + host + ": it is still loaded");
        }
        starting.add(host);
        try {
            unit.start();
            whileStarting.happen(host);
        } catch (IOException e) {
            loaded.remove(host);
            starting.remove(host);
            throw new ControlException(Outcome.NOTHING_RUNS, "cmd: " + host + ": " + e.getMessage(), e);
        }
        if (!starting.remove(host)) {
            stop(host, Role.CMD);
            throw new ControlException(Outcome.STOPPED, "cmd: " + host + ": it was stopped");
        }
        return invocation;
    }

    static InvocationId newInvocation() {
        byte[] bytes = new byte[16];
        ThreadLocalRandom.current().nextBytes(bytes);
        return InvocationId.of(HexFormat.of().formatHex(bytes));
    }

    @Override
    public CmdAnswer awaitCmd(Host host, InvocationId invocation, Duration wait) throws InterruptedException {
        @Nullable StandInUnit unit = loaded.get(host);
        if (unit == null || !unit.invocation().equals(invocation)) {
            return CmdAnswer.gone(invocation);
        }
        return unit.awaitEmpty(wait)
                ? CmdAnswer.done(invocation, "success", 0, MainCode.EXITED)
                : CmdAnswer.running(invocation);
    }

    /** What happens once a command runs and before its start is answered. */
    void whileStarting(Effect effect) {
        whileStarting = effect;
    }

    @Override
    public void stop(Host host, Role role) throws InterruptedException {
        starting.remove(host);
        @Nullable StandInUnit unit = loaded.get(host);
        if (unit != null) {
            unit.stop(grace);
            if (!unit.hasFailed()) {
                loaded.remove(host, unit);
            }
        }
    }

    boolean isEmpty() {
        return loaded.isEmpty();
    }

    @Override
    public InvocationId start(Host host, Role role, MemoryTier memory) {
        throw new UnsupportedOperationException("start");
    }

    @Override
    public SeedAnswer seed(Host host, MemoryTier memory) {
        throw new UnsupportedOperationException("seed");
    }

    @Override
    public void reset(Host host, Role role) {
        loaded.computeIfPresent(host, (any, unit) -> unit.hasFailed() ? null : unit);
    }

    @Override
    public List<String> sweep() {
        throw new UnsupportedOperationException("sweep");
    }

    @Override
    public ProbeReport probe() {
        throw new UnsupportedOperationException("probe");
    }
}
