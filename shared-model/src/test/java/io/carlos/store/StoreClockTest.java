package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.directory.DirectoryObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreClockTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final InMemoryObjectStore objects = new InMemoryObjectStore(() -> NOW);
    private final FaultyObjectStore store = new FaultyObjectStore(objects);
    private final StoreClock clock = new StoreClock(store, () -> "token");

    @Test
    void the_time_is_the_stores_and_nothing_is_left_behind() {
        assertThat(clock.read()).isEqualTo(NOW);

        assertThat(objects.list("", "", 10)).isEmpty();
    }

    @Test
    void an_object_that_cannot_be_removed_spoils_no_time() {
        store.failNext(Call.DELETE, Fault.UNAVAILABLE);

        assertThat(clock.read()).isEqualTo(NOW);
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"PUT", "GET"})
    void a_store_that_fails_tells_no_time(Call call) {
        store.failNext(call, Fault.UNAVAILABLE);

        assertThatThrownBy(clock::read).isInstanceOf(StoreUnavailableException.class);

        assertThat(objects.list("", "", 10)).isEmpty();
    }

    @Test
    void a_directory_tells_the_time_of_its_machine(@TempDir Path directory) throws Exception {
        try (DirectoryObjectStore onDisk = DirectoryObjectStore.open(directory)) {
            Instant before = Instant.now();

            Instant read = new StoreClock(onDisk, () -> "token").read();

            // A file system's clock ticks coarsely.
            assertThat(read).isBetween(before.minus(Duration.ofSeconds(2)), Instant.now());
        }
    }
}
