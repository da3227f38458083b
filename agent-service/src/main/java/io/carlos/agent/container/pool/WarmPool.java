package io.carlos.agent.container.pool;

import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
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

    /** A machine that is ready, which is the caller's from now on; empty when none is. Has the next one booted. */
    public Optional<M> take() {
        Optional<M> taken = takeFromStock();
        while (taken.isPresent() && !machines.isReady(taken.get())) {
            discard(taken.get());
            taken = takeFromStock();
        }
        if (taken.isPresent()) {
            listener.hit();
        } else {
            listener.miss();
        }
        refill();
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
     * Ends what is too old, or takes the room that others wait for, and has booted what is missing; to be called now and
     * then, and returns at once.
     */
    public void look() {
        List<M> expired;
        lock.lock();
        try {
            expired = stock.expire(scheduler.nanoTime());
        } finally {
            lock.unlock();
        }
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
        for (int i = 0; i < missing; i++) {
            var unused = scheduler.fork("warm-boot", this::boot);
        }
    }

    private void boot() {
        long start = scheduler.nanoTime();
        M machine;
        try {
            machine = machines.boot();
        } catch (IOException | InterruptedException | RuntimeException e) {
            failed(e);
            return;
        }
        listener.booted(Duration.ofNanos(scheduler.nanoTime() - start));
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

    private void failed(Exception cause) {
        lock.lock();
        try {
            stock.bootFailed();
        } finally {
            lock.unlock();
        }
        listener.bootFailed();
        log.warn("pool: a machine could not be booted ahead of need: {}", cause.getMessage());
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    private void discard(M machine) {
        listener.discarded();
        var unused = scheduler.fork("warm-discard", () -> {
            try {
                machines.discard(machine);
            } catch (IOException e) {
                log.error("pool: {} is left: {}", machine, e.getMessage(), e);
            } catch (InterruptedException e) {
                log.error("pool: {} may be left", machine);
                Thread.currentThread().interrupt();
            }
        });
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
