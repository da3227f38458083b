package io.carlos.control.peer;

import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.control.unit.UnitProperty;
import io.carlos.control.unit.UnitStatus;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The main process of one unit, as systemd says. An answer is remembered for a second; whoever finds none asks by itself,
 * so that a systemd that keeps one caller waiting keeps no other.
 */
public final class MainProcess {
    private static final List<UnitProperty> ASKED = List.of(UnitProperty.MAIN_PID, UnitProperty.CONTROL_GROUP);
    private static final long REMEMBERED_NANOS = Duration.ofSeconds(1).toNanos();

    private final UnitManager systemd;
    private final Unit unit;
    private final LongSupplier nanoTime;
    private volatile @Nullable Known known;

    /**
     * @param pid 0 when the unit does not run
     * @param controlGroup its path from the root of the hierarchy; empty when it is not known yet
     */
    public record Answer(int pid, String controlGroup) {}

    private record Known(Answer answer, long since) {}

    public MainProcess(UnitManager systemd, Unit unit) {
        this(systemd, unit, System::nanoTime);
    }

    MainProcess(UnitManager systemd, Unit unit, LongSupplier nanoTime) {
        this.systemd = systemd;
        this.unit = unit;
        this.nanoTime = nanoTime;
    }

    public Unit unit() {
        return unit;
    }

    /** Blocks while systemd is asked. */
    public Answer get() throws SystemdException, InterruptedException {
        Known before = known;
        // Taken before systemd is asked, so that an answer is never older than it seems.
        long now = nanoTime.getAsLong();
        if (before != null && now - before.since() < REMEMBERED_NANOS) {
            return before.answer();
        }
        UnitStatus status = systemd.show(unit, ASKED);
        Answer answer = new Answer(status.mainPid(), status.controlGroup());
        known = new Known(answer, now);
        return answer;
    }
}
