package io.carlos.agent.service;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on the readings of one record one at a time, so that a handling that hangs keeps one thread and not another with
 * each pass. A reading that comes meanwhile returns at once and waits for its turn; only the newest does, since each says
 * all that the ones before it did. When a handling throws, what waits is left to the next pass.
 */
final class SingleFlight implements NotedRunHandler {
    private static final Logger log = LoggerFactory.getLogger(SingleFlight.class);

    private final NotedRunHandler handler;

    /** Guarded by itself: the records at which a thread is, and what waits for it. */
    private final Map<RecordRef, Optional<InstanceRecord>> waiting = new HashMap<>();

    SingleFlight(NotedRunHandler handler) {
        this.handler = handler;
    }

    @Override
    public void act(InstanceRecord record) {
        if (!takeOff(record)) {
            log.warn("run: the handling of an earlier pass is still at it: record={}", record.ref());
            return;
        }
        InstanceRecord next = record;
        try {
            while (next != null) {
                handler.act(next);
                next = next(record.ref());
            }
        } finally {
            if (next != null) {
                land(record.ref());
            }
        }
    }

    /** @return whether nobody is at the record; the caller is from now on */
    private boolean takeOff(InstanceRecord record) {
        synchronized (waiting) {
            if (waiting.containsKey(record.ref())) {
                waiting.put(record.ref(), Optional.of(record));
                return false;
            }
            waiting.put(record.ref(), Optional.empty());
            return true;
        }
    }

    /** What came meanwhile; null when nothing did, and then the caller is no longer at the record. */
    private @Nullable InstanceRecord next(RecordRef ref) {
        synchronized (waiting) {
            Optional<InstanceRecord> next = waiting.remove(ref);
            if (next == null || next.isEmpty()) {
                return null;
            }
            waiting.put(ref, Optional.empty());
            return next.get();
        }
    }

    private void land(RecordRef ref) {
        synchronized (waiting) {
            waiting.remove(ref);
        }
    }
}
