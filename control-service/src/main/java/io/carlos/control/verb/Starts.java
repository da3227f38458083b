package io.carlos.control.verb;

import io.carlos.control.unit.SystemdException;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The starts that are under way. Those of one host's roles happen one after the other, in the order they came; hosts are
 * independent of each other. A unit that is being started already, or waits to be, is refused.
 */
public final class Starts {
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<UnitName> units = new HashSet<>();
    private final Map<SliceName, Turn> turns = new HashMap<>();

    /** One host's queue; it is forgotten with its last user. */
    private static final class Turn {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    /** What is done while a host's turn is held. */
    @FunctionalInterface
    public interface Start<T> {
        T run() throws SystemdException, BusyException, UnfinishedException, InterruptedException;
    }

    /** @throws BusyException when the unit is being started already; then nothing was done */
    public <T> T inTurn(UnitName unit, Start<T> start)
            throws SystemdException, BusyException, UnfinishedException, InterruptedException {
        Turn turn = enter(unit);
        try {
            turn.lock.lockInterruptibly();
            try {
                return start.run();
            } finally {
                turn.lock.unlock();
            }
        } finally {
            leave(unit, turn);
        }
    }

    private Turn enter(UnitName unit) throws BusyException {
        lock.lock();
        try {
            if (!units.add(unit)) {
                throw new BusyException(
                        "start: " + unit + ": it is being started already; ask again when that is answered");
            }
            Turn turn = turns.computeIfAbsent(unit.slice(), any -> new Turn());
            turn.users++;
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private void leave(UnitName unit, Turn turn) {
        lock.lock();
        try {
            units.remove(unit);
            if (--turn.users == 0) {
                turns.remove(unit.slice());
            }
        } finally {
            lock.unlock();
        }
    }
}
