package io.carlos.agent.container.pool;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What a pool holds, and what that asks for. Pure: it starts and ends nothing, and is told the time. Not for several
 * threads at once.
 *
 * @param <M> a machine that is ready
 */
final class WarmStock<M> {
    private final int size;
    private final Duration ageLimit;
    private final Deque<Held<M>> held = new ArrayDeque<>();
    private int booting;
    private boolean closed;

    private record Held<M>(M machine, long since) {}

    /**
     * @param size how many are to be ready, or on the way
     * @param ageLimit after which one is not given out any more
     */
    WarmStock(int size, Duration ageLimit) {
        if (size < 0 || !ageLimit.isPositive()) {
            throw new IllegalArgumentException("a pool of " + size + " machines for " + ageLimit
                    + ": expected no negative size, and an age limit over zero");
        }
        this.size = size;
        this.ageLimit = ageLimit;
    }

    /** The one that has waited for the longest, if there is one that is not too old. */
    Optional<M> take(long now) {
        Iterator<Held<M>> oldestFirst = held.iterator();
        while (oldestFirst.hasNext()) {
            Held<M> candidate = oldestFirst.next();
            if (!isTooOld(candidate, now)) {
                oldestFirst.remove();
                return Optional.of(candidate.machine());
            }
        }
        return Optional.empty();
    }

    /** Those that are too old, which are the stock's no more. */
    List<M> expire(long now) {
        List<M> expired = new ArrayList<>();
        while (!held.isEmpty() && isTooOld(held.element(), now)) {
            expired.add(held.remove().machine());
        }
        return expired;
    }

    private boolean isTooOld(Held<M> candidate, long now) {
        return now - candidate.since() >= ageLimit.toNanos();
    }

    /** How many boots to begin now; they count as begun. */
    int begin() {
        int missing = closed ? 0 : Math.max(0, size - held.size() - booting);
        booting += missing;
        return missing;
    }

    /** @return whether it is wanted; if not, it is the caller's to end */
    boolean booted(M machine, long now) {
        booting--;
        if (closed) {
            return false;
        }
        held.add(new Held<>(machine, now));
        return true;
    }

    void bootFailed() {
        booting--;
    }

    /**
     * Nothing more is wanted.
     *
     * @return all that was held, which is the caller's to end
     */
    List<M> close() {
        closed = true;
        return giveBack();
    }

    /** All that is held, which is the caller's to end. */
    List<M> giveBack() {
        List<M> rest = held.stream().map(Held::machine).toList();
        held.clear();
        return rest;
    }

    int ready() {
        return held.size();
    }

    int booting() {
        return booting;
    }
}
