package io.carlos.control.verb;

import io.carlos.control.ready.NotReadyException;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.verb.FailedStartException.Remains;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The starts that are under way. Those of one host's roles happen one after the other, in the order they came; hosts are
 * independent of each other. A unit that is being started already, or waits to be, is refused. A start that came before a
 * stop never outlives it: it is withdrawn while it waits for its turn, and undone when it had its turn. Nothing is started
 * on a box that is not ready.
 *
 * <p>A start that hands over a {@link Beginning} never begins after its deadline. Of one that systemd answers when it is done the
 * deadline is looked at before systemd is called, and the call may wait for others: it may begin a little later.
 */
public final class Starts {
    private final Gate gate;
    private final Undo undo;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UnitName, Pending> pending = new HashMap<>();
    private final Map<SliceName, Turn> turns = new HashMap<>();

    /** One host's queue; it is forgotten with its last user. */
    private static final class Turn {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    /** One start. */
    private static final class Pending {
        private final UnitName unit;
        private final Deadline deadline;
        private final Turn turn;
        private final ReentrantLock beginning = new ReentrantLock();
        private volatile boolean withdrawn;

        Pending(UnitName unit, Deadline deadline, Turn turn) {
            this.unit = unit;
            this.deadline = deadline;
            this.turn = turn;
        }

        void refuseIfLate() throws FailedStartException, ExpiredException {
            if (withdrawn) {
                throw FailedStartException.stopped(unit);
            }
            if (deadline.isOver()) {
                throw new ExpiredException(unit);
            }
        }

        void begin(Beginning what)
                throws SystemdException, ExpiredException, FailedStartException, InterruptedException {
            beginning.lockInterruptibly();
            try {
                refuseIfLate();
                what.run();
            } finally {
                beginning.unlock();
            }
        }

        /** It begins either before this, and then the stop that follows finds what it handed to systemd, or never. */
        void withdraw() throws InterruptedException {
            beginning.lockInterruptibly();
            try {
                withdrawn = true;
            } finally {
                beginning.unlock();
            }
        }
    }

    /** What comes before a start while a host's turn is held: nothing is started when it fails. */
    @FunctionalInterface
    public interface Preparation<P> {
        P run() throws SystemdException, BusyException, UnfinishedException, InterruptedException;
    }

    /** Hands a start to systemd without waiting for what comes of it. A stop waits for it. */
    @FunctionalInterface
    public interface Beginning {
        void run() throws SystemdException, InterruptedException;
    }

    /** What is done while a host's turn is held; when it fails, the unit may have been started all the same. */
    @FunctionalInterface
    public interface Start<P, T> {
        T run(P prepared) throws SystemdException, UnfinishedException, InterruptedException;
    }

    /** Whether this box may start anything. */
    @FunctionalInterface
    public interface Gate {
        void check() throws NotReadyException;
    }

    /** Stops a unit that should not have been started. */
    @FunctionalInterface
    public interface Undo {
        void stop(UnitName unit) throws SystemdException, UnfinishedException, InterruptedException;
    }

    /** @param gate asked before anything is done for a start, and again when it has its turn */
    public Starts(Gate gate, Undo undo) {
        this.gate = gate;
        this.undo = undo;
    }

    /**
     * As {@link #inTurn(UnitName, Deadline, Preparation, Beginning, Start)}, for a start that systemd answers when it is done. A stop
     * does not wait for it, but has it undone.
     */
    public <P, T> T inTurn(UnitName unit, Deadline deadline, Preparation<P> preparation, Start<P, T> start)
            throws BusyException, NotReadyException, ExpiredException, FailedStartException, InterruptedException {
        return inTurn(unit, deadline, preparation, () -> {}, start);
    }

    /**
     * A start that fails is undone before its failure is told: systemd's job may go on when the call that queued it has not
     * been answered.
     *
     * @param deadline looked at when the turn has come, and again directly before the beginning
     * @throws BusyException when the unit is being started already; then nothing was done
     * @throws NotReadyException when this box is not proven to isolate what it starts; then nothing was done
     * @throws ExpiredException when the deadline has passed; then nothing was started
     * @throws FailedStartException when systemd refused, or did not do it in time, and when the unit was stopped while this
     *     start waited or went on: what was started may have run until then, so nobody may take it for not executed
     */
    public <P, T> T inTurn(
            UnitName unit, Deadline deadline, Preparation<P> preparation, Beginning beginning, Start<P, T> start)
            throws BusyException, NotReadyException, ExpiredException, FailedStartException, InterruptedException {
        gate.check();
        Pending mine = enter(unit, deadline);
        try {
            mine.turn.lock.lockInterruptibly();
            try {
                mine.refuseIfLate();
                gate.check();
                P prepared = prepare(preparation);
                T started = run(mine, beginning, start, prepared);
                // A stop between the look before and here may have found nothing to stop yet. One that comes later
                // finds it.
                if (mine.withdrawn) {
                    FailedStartException stopped = FailedStartException.stopped(unit);
                    undo(unit, stopped);
                    throw stopped;
                }
                return started;
            } finally {
                mine.turn.lock.unlock();
            }
        } finally {
            leave(unit, mine);
        }
    }

    private static <P> P prepare(Preparation<P> preparation)
            throws BusyException, FailedStartException, InterruptedException {
        try {
            return preparation.run();
        } catch (SystemdException e) {
            throw new FailedStartException(e.getMessage() + "; nothing was started", Remains.NOTHING, e);
        } catch (UnfinishedException e) {
            throw new FailedStartException(String.valueOf(e.getMessage()), Remains.PERHAPS_ALL, e);
        }
    }

    private <P, T> T run(Pending mine, Beginning beginning, Start<P, T> start, P prepared)
            throws ExpiredException, FailedStartException, InterruptedException {
        try {
            mine.begin(beginning);
            return start.run(prepared);
        } catch (SystemdException | UnfinishedException e) {
            undo(mine.unit, e);
            throw new FailedStartException(e.getMessage() + "; nothing runs", Remains.NOTHING, e);
        } catch (RuntimeException e) {
            undo(mine.unit, e);
            throw e;
        }
    }

    private void undo(UnitName unit, Exception why) throws FailedStartException, InterruptedException {
        try {
            undo.stop(unit);
        } catch (SystemdException | UnfinishedException e) {
            why.addSuppressed(e);
            throw new FailedStartException(
                    why.getMessage() + "; it may run, since it could not be stopped: " + e.getMessage(),
                    Remains.PERHAPS_ALL,
                    why);
        }
    }

    /** To be called before the unit is stopped: no start of it that came before goes on. */
    public void withdraw(UnitName unit) throws InterruptedException {
        withdraw(start -> start.unit.equals(unit));
    }

    /** To be called before all units are listed to be stopped: no start that came before goes on. */
    public void withdrawAll() throws InterruptedException {
        withdraw(any -> true);
    }

    /** Other hosts' starts come and go meanwhile. */
    private void withdraw(Predicate<Pending> which) throws InterruptedException {
        List<Pending> found;
        lock.lock();
        try {
            found = pending.values().stream().filter(which).toList();
        } finally {
            lock.unlock();
        }
        for (Pending start : found) {
            start.withdraw();
        }
    }

    /** Whether a start of the unit waits for its turn or has it. */
    boolean isPending(UnitName unit) {
        lock.lock();
        try {
            return pending.containsKey(unit);
        } finally {
            lock.unlock();
        }
    }

    private Pending enter(UnitName unit, Deadline deadline) throws BusyException {
        lock.lock();
        try {
            if (pending.containsKey(unit)) {
                throw new BusyException(
                        "start: " + unit + ": it is being started already; ask again when that is answered");
            }
            Pending mine = new Pending(unit, deadline, turns.computeIfAbsent(unit.slice(), any -> new Turn()));
            mine.turn.users++;
            pending.put(unit, mine);
            return mine;
        } finally {
            lock.unlock();
        }
    }

    private void leave(UnitName unit, Pending mine) {
        lock.lock();
        try {
            pending.remove(unit);
            if (--mine.turn.users == 0) {
                turns.remove(unit.slice());
            }
        } finally {
            lock.unlock();
        }
    }
}
