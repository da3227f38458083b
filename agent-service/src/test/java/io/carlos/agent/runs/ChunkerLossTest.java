package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.fleet.Fleet;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.time.Scheduler;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Output that can no longer be stored, or shall not be. */
class ChunkerLossTest {
    private static final int MEBIBYTE = 1024 * 1024;

    private final StoredRuns runs = new StoredRuns();
    private final Scheduler scheduler = runs.process().scheduler();
    private final int[] lost = new int[1];
    private final Chunker chunker = new Chunker(
            "chunks",
            scheduler,
            new ChunkStore(
                    runs.store(),
                    scheduler,
                    runs.keys(),
                    new Lease(
                            StoredRuns.ID,
                            runs.now().plus(Duration.ofMinutes(10)),
                            scheduler,
                            Fleet.NONE,
                            Optional::empty)),
            () -> lost[0]++);

    @Test
    void a_chunk_that_somebody_else_wrote_loses_the_output_and_is_told_once() {
        runs.putChunk(1, OutputChannel.STDOUT, "theirs");

        assertThatThrownBy(() -> runs.process().call(() -> {
                    write("ours");
                    return chunker.close();
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(lost[0]).isEqualTo(1);
        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_writer_that_waits_is_told_when_the_output_is_lost() {
        runs.store().failAtRandom(1, 1.0, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> runs.process().call(() -> write("x".repeat(MEBIBYTE))))
                .isInstanceOf(InterruptedException.class);

        assertThat(lost[0]).isEqualTo(1);
    }

    @Test
    void after_the_lease_nothing_is_put_any_more() {
        runs.store().failAtRandom(1, 1.0, Fault.UNAVAILABLE);
        runs.process().fork("command", () -> write("x"));
        runs.process().run(Duration.ofMinutes(14));
        int puts = runs.store().count(Call.PUT);

        runs.process().run(Duration.ofHours(1));

        assertThat(puts).isPositive();
        assertThat(runs.store().count(Call.PUT)).isEqualTo(puts);
        assertThat(lost[0]).isEqualTo(1);
    }

    @Test
    void a_close_of_lost_output_fails_at_once() {
        runs.putChunk(1, OutputChannel.STDOUT, "theirs");
        runs.process().fork("command", () -> write("ours"));
        runs.process().run(Duration.ofMinutes(1));

        assertThatThrownBy(() -> runs.process().call(chunker::close)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void abandoning_ends_a_writer_that_waits_and_the_put_under_way() throws Exception {
        runs.store().failAtRandom(1, 1.0, Fault.UNAVAILABLE);
        boolean[] ended = new boolean[1];
        runs.process().fork("command", () -> {
            try {
                write("x".repeat(MEBIBYTE));
            } catch (InterruptedException e) {
                ended[0] = true;
            }
        });
        runs.process().after(Duration.ofMinutes(1), chunker::abandon);
        runs.process().run(Duration.ofMinutes(1).plusSeconds(1));
        int puts = runs.store().count(Call.PUT);

        runs.process().run(Duration.ofMinutes(5));

        assertThat(ended[0]).isTrue();
        assertThat(runs.store().count(Call.PUT)).isEqualTo(puts);
    }

    @Test
    void abandoning_drops_what_waits() throws Exception {
        runs.process().fork("command", () -> {
            write("x");
            chunker.abandon();
        });

        runs.process().run(Duration.ofMinutes(1));

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_write_after_abandoning_fails() {
        assertThatThrownBy(() -> runs.process().call(() -> {
                    chunker.abandon();
                    return write("x");
                }))
                .isInstanceOf(InterruptedException.class);
    }

    private Void write(String text) throws InterruptedException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        chunker.write(OutputChannel.STDOUT, bytes, 0, bytes.length);
        return null;
    }
}
