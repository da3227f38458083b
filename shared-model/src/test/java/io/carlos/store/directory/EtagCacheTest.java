package io.carlos.store.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.FileStatus;
import io.carlos.model.linux.FileType;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EtagCacheTest {
    private static final Instant CHANGED = Instant.parse("2026-01-02T03:04:05Z");

    private final EtagCache cache = new EtagCache(Duration.ofSeconds(3));

    @Test
    void theEtagOfAFileThatHasSettledIsFoundWhileNothingChanges() {
        FileStatus status = status(1, 10, CHANGED);
        cache.remember(status, CHANGED.plusSeconds(4), "etag");
        assertThat(cache.find(status)).contains("etag");
        assertThat(cache.find(status(2, 10, CHANGED))).isEmpty();
        assertThat(cache.find(status(1, 11, CHANGED))).isEmpty();
        assertThat(cache.find(status(1, 10, CHANGED.plusNanos(1)))).isEmpty();
    }

    @Test
    void theEtagOfAFileThatChangedJustNowIsNotKept() {
        FileStatus status = status(1, 10, CHANGED);
        cache.remember(status, CHANGED.plusSeconds(3), "etag");
        assertThat(cache.find(status)).isEmpty();
    }

    @Test
    void aFileThatTookTheInodeReplacesTheOldEntry() {
        cache.remember(status(1, 10, CHANGED), CHANGED.plusSeconds(4), "old");
        FileStatus later = status(1, 10, CHANGED.plusSeconds(10));
        cache.remember(later, CHANGED.plusSeconds(14), "new");
        assertThat(cache.find(later)).contains("new");
        assertThat(cache.find(status(1, 10, CHANGED))).isEmpty();
    }

    @Test
    void theEntryThatWasNotLookedUpForLongestGoesFirst() {
        for (int inode = 0; inode < EtagCache.MAX_ENTRIES; inode++) {
            cache.remember(status(inode, 10, CHANGED), CHANGED.plusSeconds(4), "etag");
        }
        assertThat(cache.find(status(0, 10, CHANGED))).isPresent();
        cache.remember(status(EtagCache.MAX_ENTRIES, 10, CHANGED), CHANGED.plusSeconds(4), "etag");
        assertThat(cache.find(status(0, 10, CHANGED))).isPresent();
        assertThat(cache.find(status(1, 10, CHANGED))).isEmpty();
    }

    private static FileStatus status(long inode, long size, Instant changed) {
        return new FileStatus(FileType.REGULAR, 0600, 0, 0, 1, size, inode, 1, 1, false, changed, changed);
    }
}
