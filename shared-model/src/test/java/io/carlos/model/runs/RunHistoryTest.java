package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.store.FaultyObjectStore.Call;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunHistoryTest {
    private final StoredRuns runs = new StoredRuns();

    @Test
    void a_run_that_ends_between_the_looks_at_result_and_record_has_its_result() {
        runs.queue(List.of("import"), Duration.ofHours(1));
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, Duration.ofHours(1));
        RunResult[] stored = new RunResult[1];
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {
            runs.putChunk(1, OutputChannel.STDOUT, "x");
            stored[0] = runs.putResult(3, 1);
            runs.finish();
        });

        RunHistory history =
                RunHistory.read(runs.store(), runs.records(), runs.keys()).orElseThrow();

        assertThat(history.result()).isEqualTo(stored[0]);
        assertThat(history.output().chunks()).isEqualTo(1);
    }
}
