package io.carlos.agent.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.store.CasConflictException;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.RecordingObjectStore;
import io.carlos.store.WatchableStore;
import io.carlos.store.directory.DirectoryObjectStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted of a store's calls. */
class MeteredStoreTest {
    private static final ObjectKey KEY = ObjectKey.of("serial/eu");
    private static final ObjectKey CHUNK = new RunKeys(
                    Account.of("acme"), App.of("web"), RunId.of("run_" + "a".repeat(26)))
            .chunk(1, OutputChannel.STDOUT);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AgentMetrics metrics = new AgentMetrics(registry);
    private final ObjectStore store = MeteredStore.of(new InMemoryObjectStore(), metrics);

    @Test
    void callsAreCountedByWhatTheyDoAndHowTheyEnd() {
        store.put(KEY, new byte[3], Precondition.CREATE_ONLY);
        assertThatThrownBy(() -> store.put(KEY, new byte[3], Precondition.CREATE_ONLY))
                .isInstanceOf(CasConflictException.class);
        assertThatThrownBy(() -> store.list("", "", 0)).isInstanceOf(IllegalArgumentException.class);
        store.get(KEY);
        store.getUnlessMatch(KEY, "none");
        store.delete(KEY);

        assertThat(calls("put", "ok")).isEqualTo(1);
        assertThat(calls("put", "conflict")).isEqualTo(1);
        assertThat(calls("list", "failed")).isEqualTo(1);
        assertThat(calls("get", "ok")).isEqualTo(2);
        assertThat(calls("delete", "ok")).isEqualTo(1);
        assertThat(counter("carlos.chunk.puts")).isZero();
    }

    @Test
    void aChunkThatIsStoredCountsWithItsBytes() {
        store.put(CHUNK, new byte[5], Precondition.CREATE_ONLY);

        assertThat(counter("carlos.chunk.puts")).isEqualTo(1);
        assertThat(counter("carlos.chunk.size")).isEqualTo(5);
        assertThat(counter("carlos.chunk.retries")).isZero();
    }

    @Test
    void aChunkThatFailsIsARetryAndNoBytes() {
        assertThatThrownBy(() -> store.put(CHUNK, new byte[ObjectStore.MAX_VALUE_BYTES + 1], Precondition.CREATE_ONLY))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(counter("carlos.chunk.retries")).isEqualTo(1);
        assertThat(counter("carlos.chunk.puts")).isZero();
        assertThat(counter("carlos.chunk.size")).isZero();
    }

    @Test
    void onlyAStoreThatTellsOfChangesStillDoes(@TempDir Path directory) {
        try (DirectoryObjectStore telling = DirectoryObjectStore.open(directory)) {
            assertThat(MeteredStore.of(telling, metrics)).isInstanceOf(WatchableStore.class);
        }
        ObjectStore silent = new RecordingObjectStore(new InMemoryObjectStore());
        assertThat(MeteredStore.of(silent, metrics)).isNotInstanceOf(WatchableStore.class);
    }

    private long calls(String operation, String outcome) {
        return registry.get("carlos.store.call")
                .tag("operation", operation)
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    private double counter(String name) {
        return registry.get(name).counter().count();
    }
}
