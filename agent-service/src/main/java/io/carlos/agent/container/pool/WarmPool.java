package io.carlos.agent.container.pool;

import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps machines ready, so that whoever needs one waits for no boot. Every machine is given out once. One whose boot
 * failed is replaced at the next look, and not at once: a box on which no machine boots would do nothing else.
 *
 * @param <M> names a machine
 */
public final class WarmPool<M> {
    private static final Logger log = LoggerFactory.getLogger(WarmPool.class);

    private final WarmMachines<M> machines;
    private final Scheduler scheduler;
    private final WarmPoolListener listener;
    private final Lock lock;

    /** Guarded by the lock. */
    private final WarmStock<M> stock;

    /** Those that could not be discarded, until the next look tries again. Guarded by the lock. */
    private final List<M> left = new ArrayList<>();

    /**
     * @param size how many are to be ready
     * @param ageLimit after which a machine is replaced
     */
    public WarmPool(
            WarmMachines<M> machines, int size, Duration ageLimit, Scheduler scheduler, WarmPoolListener listener) {
        this.machines = machines;
        this.scheduler = scheduler;
        this.listener = listener;
        this.lock = scheduler.newLock();
        this.stock = new WarmStock<>(size, ageLimit);
    }

    /**
     * A machine that is ready, which is the caller's from now on, and has another one booted. Empty when none is: the
     * caller needs the room for its own then, and the next look has some booted.
     */
    public Optional<M> take() {
        Optional<M> taken = takeFromStock();
        while (taken.isPresent() && !machines.isReady(taken.get())) {
            discard(taken.get());
            taken = takeFromStock();
        }
        if (taken.isPresent()) {
            listener.hit();
            refill();
        } else {
            listener.miss();
        }
        return taken;
    }

    private Optional<M> takeFromStock() {
        lock.lock();
        try {
            return stock.take(scheduler.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends what is too old, takes the room that others wait for, or could not be ended before, and has booted what is
     * missing; to be called now and then, and returns at once.
     */
    public void look() {
        List<M> expired;
        List<M> again;
        lock.lock();
        try {
            expired = stock.expire(scheduler.nanoTime());
            again = List.copyOf(left);
            left.clear();
        } finally {
            lock.unlock();
        }
        again.forEach(this::end);
        expired.forEach(this::discard);
        makeRoom();
        refill();
    }

    /** Somebody found no machine here before one was ready, and waits for the room that it takes. */
    private void makeRoom() {
        if (!machines.isRoomAwaited()) {
            return;
        }
        List<M> inTheWay;
        lock.lock();
        try {
            inTheWay = stock.giveBack();
        } finally {
            lock.unlock();
        }
        inTheWay.forEach(this::discard);
    }

    private void refill() {
        if (!machines.hasRoom()) {
            return;
        }
        int missing;
        lock.lock();
        try {
            missing = stock.begin();
        } finally {
            lock.unlock();
        }
        int begun = 0;
        try {
            for (; begun < missing; begun++) {
                var unused = scheduler.fork("warm-boot", this::boot);
            }
        } finally {
            for (; begun < missing; begun++) {
                bootFailed();
            }
        }
    }

    private void boot() {
        long start = scheduler.nanoTime();
        @Nullable M machine = null;
        try {
            machine = machines.boot();
        } catch (IOException | RuntimeException e) {
            log.warn("pool: a machine could not be booted ahead of need: {}", e.getMessage());
        } catch (InterruptedException e) {
            log.warn("pool: the boot of a machine was interrupted");
            Thread.currentThread().interrupt();
        } finally {
            // An error counts too: a boot that is waited for and never ends makes the pool smaller for good.
            if (machine == null) {
                bootFailed();
            }
        }
        if (machine != null) {
            listener.booted(Duration.ofNanos(scheduler.nanoTime() - start));
            keep(machine);
        }
    }

    private void bootFailed() {
        lock.lock();
        try {
            stock.bootFailed();
        } finally {
            lock.unlock();
        }
        listener.bootFailed();
    }

    private void keep(M machine) {
        boolean wanted;
        lock.lock();
        try {
            wanted = stock.booted(machine, scheduler.nanoTime());
        } finally {
            lock.unlock();
        }
        if (!wanted) {
            discard(machine);
        }
        makeRoom();
    }

    private void discard(M machine) {
        listener.discarded();
        end(machine);
    }

    private void end(M machine) {
        var unused = scheduler.fork("warm-discard", () -> {
            boolean ended = false;
            try {
                machines.discard(machine);
                ended = true;
            } catch (IOException e) {
                log.error("pool: {} is left until the next look: {}", machine, e.getMessage(), e);
            } catch (InterruptedException e) {
                log.error("pool: {} may be left until the next look", machine);
                Thread.currentThread().interrupt();
            } finally {
                if (!ended) {
                    leave(machine);
                }
            }
        });
    }

    private void leave(M machine) {
        lock.lock();
        try {
            left.add(machine);
        } finally {
            lock.unlock();
        }
    }

    /** Boots nothing more, and ends what waits; a boot that is under way ends its machine. */
    public void close() {
        List<M> rest;
        lock.lock();
        try {
            rest = stock.close();
        } finally {
            lock.unlock();
        }
        rest.forEach(this::discard);
    }

    /** How many could be given out now, unless they have ended. */
    public int ready() {
        lock.lock();
        try {
            return stock.ready();
        } finally {
            lock.unlock();
        }
    }

    /** How many are on the way. */
    public int booting() {
        lock.lock();
        try {
            return stock.booting();
        } finally {
            lock.unlock();
        }
    }
}
