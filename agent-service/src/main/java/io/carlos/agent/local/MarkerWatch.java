package io.carlos.agent.local;

import io.carlos.model.runs.ChangeMarker;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.WatchableStore;
import io.carlos.store.WatchableStore.Watch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store that tells of changes saves the wait for the next look; the look stays, since telling may fail. */
public final class MarkerWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MarkerWatch.class);

    private final @Nullable Watch watch;

    private MarkerWatch(@Nullable Watch watch) {
        this.watch = watch;
    }

    /** Watches until it is closed, if the store can tell; else does nothing. */
    public static MarkerWatch start(ObjectStore store, ChangeMarker marker, Runnable moved) {
        if (!(store instanceof WatchableStore watchable)) {
            return new MarkerWatch(null);
        }
        try {
            return new MarkerWatch(watchable.watch(marker.key(), moved));
        } catch (StoreUnavailableException e) {
            log.info("agent: no watch, looking instead: marker={} cause={}", marker.key(), e.getMessage());
            return new MarkerWatch(null);
        }
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
