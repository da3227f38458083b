package io.carlos.store.directory;

import io.carlos.model.linux.FileStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * Etags of files by inode, change time and size, so that a listing of unchanged values reads none of them.
 *
 * <p>File systems give an inode's number to the next file at once, and stamp files of one clock tick alike. An etag is
 * therefore kept only for a file that had not changed for a while when it was looked at: whatever takes the number later
 * then has a later change time.
 */
final class EtagCache {
    /** Longer than a tick of any clock that stamps files: one second where change times are whole seconds. */
    static final Duration SETTLED = Duration.ofSeconds(3);

    /** About 200 bytes each. */
    static final int MAX_ENTRIES = 65_536;

    private final Duration settled;
    private final LinkedHashMap<Long, Known> entries = new LinkedHashMap<>(16, 0.75f, true);

    EtagCache(Duration settled) {
        this.settled = settled;
    }

    synchronized Optional<String> find(FileStatus status) {
        Known known = entries.get(status.inode());
        return known != null && known.isOf(status) ? Optional.of(known.etag) : Optional.empty();
    }

    /** @param lookedAt when the status was read, or earlier */
    synchronized void remember(FileStatus status, Instant lookedAt, String etag) {
        if (status.changed().plus(settled).isBefore(lookedAt)) {
            entries.put(status.inode(), new Known(status.changed(), status.size(), etag));
            if (entries.size() > MAX_ENTRIES) {
                entries.pollFirstEntry();
            }
        }
    }

    private record Known(Instant changed, long size, String etag) {
        boolean isOf(FileStatus status) {
            return changed.equals(status.changed()) && size == status.size();
        }
    }
}
