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
import java.time.Instant;
import java.util.Optional;
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
    private volatile Optional<SupersededException.Reason> superseded = Optional.empty();

    /**
     * A heartbeat that is stored.
     *
     * @param since when its write was about to be sent: nobody can have seen it any earlier
     * @param sinceNanos the same by the scheduler's clock for durations
     */
    private record Written(Heartbeat heartbeat, String etag, Instant since, long sinceNanos) {}

    private BoxPresence(ObjectStore store, Scheduler scheduler, ObjectKey key, FleetTimes times, Written first) {
        this.store = store;
        this.scheduler = scheduler;
        this.key = key;
        this.times = times;
        this.written = first;
        this.sent = first.heartbeat().beat();
    }

    /**
     * Takes a box's name for a start of its agent, under the next epoch.
     *
     * @param bootId a fresh token
     * @throws io.carlos.store.StoreException the store failed; calling again is safe
     * @throws InvalidDocumentException what is stored there is no heartbeat of this version of Carlos
     */
    public static BoxPresence begin(
            ObjectStore store, Scheduler scheduler, FleetTimes times, String region, String box, String bootId) {
        ObjectKey key = Heartbeat.key(region, box);
        while (true) {
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
            try {
                String etag = store.put(key, CarlosJson.write(mine), precondition);
                return new BoxPresence(store, scheduler, key, times, new Written(mine, etag, since, sinceNanos));
            } catch (CasConflictException e) {
                log.info("heartbeat: another was first, reading again: key={}", key);
            }
        }
    }

    /**
     * Whether the newest heartbeat of the name is this start's, and nobody has fenced it.
     *
     * @throws StoreException the store failed
     */
    public boolean isStored() {
        return store.get(key)
                .map(Heartbeat::decode)
                .filter(newest -> newest.bootId().equals(bootId()) && newest.fencedBy() == null)
                .isPresent();
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
     * @throws SupersededException a newer agent has the name; there is no way back
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
            // Somebody removed it: whoever begins under this name now has epoch 1, and nothing tells the two apart.
            superseded = Optional.of(SupersededException.Reason.FENCED);
            throw new SupersededException(sent, sent.fenced("whoever deleted " + key));
        }
        StoredObject found = now.orElseThrow(() -> answer);
        Heartbeat newest = Heartbeat.decode(found);
        if (!newest.bootId().equals(sent.bootId()) || newest.fencedBy() != null) {
            SupersededException end = new SupersededException(sent, newest);
            superseded = Optional.of(end.reason());
            throw end;
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
