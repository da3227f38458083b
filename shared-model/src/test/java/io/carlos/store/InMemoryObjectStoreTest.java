package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class InMemoryObjectStoreTest extends WatchableStoreContract {
    private final InMemoryObjectStore store = new InMemoryObjectStore();

    @Override
    protected InMemoryObjectStore open() {
        return store;
    }

    @Test
    void lastModifiedIsTheTimeOfTheGivenClock() {
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        InMemoryObjectStore dated = new InMemoryObjectStore(InstantSource.fixed(now));
        dated.put(key("a"), bytes("one"), Precondition.NONE);
        assertThat(dated.get(key("a")).orElseThrow().lastModified()).isEqualTo(now);
        assertThat(dated.list(key("a").value(), "", 1).getFirst().lastModified())
                .isEqualTo(now);
    }
}
