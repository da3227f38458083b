package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import java.io.IOException;
import java.time.Duration;

/**
 * What tests turn in a store.
 *
 * @param observer sees writes pass their steps
 * @param settled how long a file must have been unchanged for its etag to be kept
 * @param lockPatience how long to wait for a lock that another process holds
 * @param directorySync how the names in a directory are made durable
 */
record Tuning(WriteObserver observer, Duration settled, Duration lockPatience, DirectorySync directorySync) {
    static final Tuning USUAL =
            new Tuning(WriteObserver.NONE, EtagCache.SETTLED, Duration.ofSeconds(30), Directory::sync);

    /** A call that can fail as the disk can. */
    @FunctionalInterface
    interface DirectorySync {
        void sync(Directory directory) throws IOException;
    }

    Tuning withObserver(WriteObserver other) {
        return new Tuning(other, settled, lockPatience, directorySync);
    }

    Tuning withLockPatience(Duration other) {
        return new Tuning(observer, settled, other, directorySync);
    }

    Tuning withDirectorySync(DirectorySync other) {
        return new Tuning(observer, settled, lockPatience, other);
    }
}
