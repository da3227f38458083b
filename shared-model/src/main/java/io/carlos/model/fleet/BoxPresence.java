package io.carlos.model.fleet;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.time.Scheduler;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreException;
import io.carlos.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One start of one box's agent, as the fleet sees it. {@link #begin} takes the box's name from every earlier start, and each
 * {@link #beat} renews the claim; an agent whose last beat is {@link FleetTimes#freshFor} ago must not act on what it owns until
 * one has held again, since others may have taken it over by then.
 *
 * <p>{@code begin} and {@code beat} are called by one thread at a time, the others by any.
 */
public final class BoxPresence {
    private static final Logger log = LoggerFactory.getLogger(BoxPresence.class);

    private final ObjectStore store;
    private final Scheduler scheduler;
    private final ObjectKey key;
    private final FleetTimes times;
    private volatile Written written;
    private long sent;
    private final long heldBackUntil;
    private volatile Optional<SupersededException.Reason> superseded = Optional.empty();

    /**
     * A heartbeat that is stored.
     *
     * @param since when its write was about to be sent: nobody can have seen it any earlier
     * @param sinceNanos the same by the scheduler's clock for durations
     */
    private record Written(Heartbeat heartbeat, String etag, Instant since, long sinceNanos) {}

    private BoxPresence(
            ObjectStore store, Scheduler scheduler, ObjectKey key, FleetTimes times, Written first, Duration heldBack) {
        this.store = store;
        this.scheduler = scheduler;
        this.key = key;
        this.times = times;
        this.written = first;
        this.sent = first.heartbeat().beat();
        this.heldBackUntil = first.sinceNanos() + heldBack.toNanos();
    }

    /**
     * Takes a box's name for a start of its agent, under the next epoch.
     *
     * @param bootId a fresh token
     * @param ended the token of an earlier start that is known to have ended; null when none is
     * @throws StoreException the store failed, or another start was faster; calling again is safe
     * @throws InvalidDocumentException what is stored there is no heartbeat of this version of Carlos
     */
    public static BoxPresence begin(
            ObjectStore store,
            Scheduler scheduler,
            FleetTimes times,
            String region,
            String box,
            String bootId,
            @Nullable String ended) {
        ObjectKey key = Heartbeat.key(region, box);
        Optional<StoredObject> before = store.get(key);
        Instant since = scheduler.now();
        long sinceNanos = scheduler.nanoTime();
        Optional<Heartbeat> earlier = before.map(Heartbeat::decode);
        long epoch = earlier.map(Heartbeat::epoch).orElse(0L);
        boolean own = earlier.map(Heartbeat::bootId).filter(bootId::equals).isPresent();
        // Its own is there when the answer of an earlier attempt was lost: the same start, but a write of its own.
        Heartbeat mine = new Heartbeat(
                Heartbeat.SCHEMA,
                box,
                region,
                own ? epoch : epoch + 1,
                bootId,
                own ? earlier.get().beat() + 1 : 1,
                since,
                times.lostAfter().toSeconds(),
                null);
        Precondition precondition =
                before.map(object -> Precondition.ifMatch(object.etag())).orElse(Precondition.CREATE_ONLY);
        String etag = store.put(key, CarlosJson.write(mine), precondition);
        Duration heldBack =
                earlier.map(heartbeat -> timeToAct(heartbeat, ended)).orElse(Duration.ZERO);
        return new BoxPresence(store, scheduler, key, times, new Written(mine, etag, since, sinceNanos), heldBack);
    }

    /** The same for a box of which it is not known that any earlier start has ended. */
    public static BoxPresence begin(
            ObjectStore store, Scheduler scheduler, FleetTimes times, String region, String box, String bootId) {
        return begin(store, scheduler, times, region, box, bootId, null);
    }

    /** For how long after its last heartbeat was read a start may act, which does not know yet that it has lost the name. */
    private static Duration timeToAct(Heartbeat earlier, @Nullable String ended) {
        // It was fenced only when its time was over. Where the earlier is this very start, nothing is known of the one
        // before.
        boolean over = earlier.fencedBy() != null || earlier.bootId().equals(ended);
        return over ? Duration.ZERO : new FleetTimes(Duration.ofSeconds(earlier.lostAfterS())).freshFor();
    }

    /**
     * For how much longer this start must act on nothing: the one that had the name may still act, on another machine, since only
     * its next beat tells it. Zero once it cannot.
     */
    public Duration heldBack() {
        return Duration.ofNanos(Math.max(0, heldBackUntil - scheduler.nanoTime()));
    }

    /**
     * Whether the newest heartbeat of the name is this start's, and nobody has fenced it.
     *
     * @throws StoreException the store failed
     */
    public boolean isStored() {
        try {
            return store.get(key)
                    .map(Heartbeat::decode)
                    .filter(newest -> newest.bootId().equals(bootId()) && newest.fencedBy() == null)
                    .isPresent();
        } catch (InvalidDocumentException e) {
            log.warn("heartbeat: not this start's: cause={}", e.getMessage());
            return false;
        }
    }

    /** The token of this start. */
    public String bootId() {
        return written.heartbeat().bootId();
    }

    /** The epoch of this start. */
    public long epoch() {
        return written.heartbeat().epoch();
    }

    /**
     * Shows that the box lives.
     *
     * @throws SupersededException another has the name, or has taken the box for lost; there is no way back
     * @throws io.carlos.store.StoreException the store failed; the next beat may hold
     */
    public void beat() throws SupersededException {
        Written last = written;
        Instant since = scheduler.now();
        long sinceNanos = scheduler.nanoTime();
        // Also counts attempts whose answer was lost, so that one of those is never taken for this one.
        sent++;
        Heartbeat next = last.heartbeat().as(sent, since);
        try {
            String etag = store.put(key, CarlosJson.write(next), Precondition.ifMatch(last.etag()));
            written = new Written(next, etag, since, sinceNanos);
        } catch (CasConflictException | AmbiguousWriteException e) {
            settle(next, since, sinceNanos, e);
        }
    }

    /** After a conflict or a lost answer: whose heartbeat is there. */
    private void settle(Heartbeat sent, Instant since, long sinceNanos, StoreException answer)
            throws SupersededException {
        Optional<StoredObject> now = store.get(key);
        if (now.isEmpty() && answer instanceof CasConflictException) {
            // Somebody removed it. Another start may have had the name since, and created it and lost it in the same
            // way.
            throw ended(new SupersededException(sent, sent.fenced("whoever deleted " + key)));
        }
        StoredObject found = now.orElseThrow(() -> answer);
        Heartbeat newest;
        try {
            newest = Heartbeat.decode(found);
        } catch (InvalidDocumentException e) {
            // This start wrote no such thing, so another did, in a later version of Carlos perhaps.
            throw ended(new SupersededException(sent, e));
        }
        if (!newest.bootId().equals(sent.bootId()) || newest.fencedBy() != null) {
            throw ended(new SupersededException(sent, newest));
        }
        boolean held = newest.beat() == sent.beat();
        Written last = written;
        // An older one of ours, then: it came to light late, and says nothing about this beat.
        written = held
                ? new Written(newest, found.etag(), since, sinceNanos)
                : new Written(newest, found.etag(), last.since(), last.sinceNanos());
        if (!held) {
            throw answer;
        }
    }

    private SupersededException ended(SupersededException end) {
        superseded = Optional.of(end.reason());
        return end;
    }

    /** Whether nobody can have taken the box for lost: what it owns may be acted on. */
    public boolean isFresh() {
        Written last = written;
        long freshNanos = times.freshFor().toNanos();
        // The wall clock as well, since the other one may stand still while the machine is suspended.
        return superseded.isEmpty()
                && scheduler.nanoTime() - last.sinceNanos() < freshNanos
                && scheduler.now().isBefore(last.since().plus(times.freshFor()));
    }

    /** Why this start may never act again; empty while it may. */
    public Optional<SupersededException.Reason> superseded() {
        return superseded;
    }
}
