package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.fleet.Fleet;
import io.carlos.model.records.Records;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunKeys.ChunkName;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.testing.Seeded;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Simulation;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.RecordingObjectStore.Write;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChunkerTest {
    private static final int KIB = 1024;
    private static final Duration HOUR = Duration.ofHours(1);

    private final StoredRuns runs = new StoredRuns();
    private final int[] lost = new int[1];
    private final Chunker chunker = chunker(runs);

    private Chunker chunker(StoredRuns of) {
        Scheduler scheduler = of.process().scheduler();
        Lease lease = new Lease(StoredRuns.ID, of.now().plus(HOUR), scheduler, Fleet.NONE, Optional::empty);
        ChunkStore chunks = new ChunkStore(of.store(), scheduler, of.keys(), lease);
        return new Chunker("chunks", scheduler, chunks, () -> lost[0]++);
    }

    @Test
    void a_store_that_answers_nothing_holds_up_512_KiB_and_one_put() {
        runs.store()
                .beforeNext(
                        Call.PUT, key -> true, () -> runs.process().simulation().pause(HOUR));
        int[] taken = new int[1];
        runs.process().fork("command", () -> {
            while (true) {
                write(chunker, OutputChannel.STDOUT, "x".repeat(KIB));
                taken[0] += KIB;
            }
        });

        runs.process().run(Duration.ofMinutes(30));

        assertThat(taken[0]).isEqualTo((512 + 256) * KIB);
    }

    @Test
    void two_writers_that_wait_for_the_store_do_not_keep_each_other_awake() {
        Simulation simulation = runs.process().simulation();
        runs.store().beforeNext(Call.PUT, key -> true, () -> simulation.pause(HOUR));
        for (OutputChannel channel : OutputChannel.values()) {
            runs.process().fork("command " + channel, () -> write(chunker, channel, "x".repeat(KIB * KIB)));
        }
        simulation.setInvariants(() -> assertThat(simulation.steps()).isLessThan(1000));

        runs.process().run(Duration.ofMinutes(30));

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void one_large_write_waits_for_the_store_and_loses_nothing() throws Exception {
        runs.store()
                .beforeNext(
                        Call.PUT, key -> true, () -> runs.process().simulation().pause(Duration.ofMinutes(5)));
        String text = "0123456789abcdef".repeat(128 * KIB);

        Chunker.Stored stored = runs.process().call(() -> {
            write(chunker, OutputChannel.STDOUT, text);
            return chunker.close();
        });

        assertThat(stored).isEqualTo(new Chunker.Stored(8, false));
        assertThat(stream(runs, OutputChannel.STDOUT)).isEqualTo(text);
    }

    @Test
    void a_few_bytes_are_stored_one_second_after_the_first_of_them() {
        List<Instant> writes = new ArrayList<>();
        runs.written().onWrite(write -> writes.add(runs.now()));
        Instant start = runs.now();
        runs.process().fork("command", () -> {
            write(chunker, OutputChannel.STDOUT, "a");
            runs.process().scheduler().sleep(Duration.ofMillis(900));
            write(chunker, OutputChannel.STDOUT, "b");
        });

        runs.process().run(Duration.ofSeconds(10));

        assertThat(writes).containsExactly(start.plusSeconds(1));
        assertThat(stream(runs, OutputChannel.STDOUT)).isEqualTo("ab");
    }

    @Test
    void bytes_after_an_idle_time_have_a_second_of_their_own() {
        List<Instant> writes = new ArrayList<>();
        runs.written().onWrite(write -> writes.add(runs.now()));
        Instant start = runs.now();
        runs.process().after(Duration.ofSeconds(20), () -> write(chunker, OutputChannel.STDERR, "late"));

        runs.process().run(Duration.ofSeconds(30));

        assertThat(writes).containsExactly(start.plusSeconds(21));
    }

    @Test
    void a_full_chunk_is_stored_at_once() {
        runs.process().fork("command", () -> write(chunker, OutputChannel.STDOUT, "x".repeat(256 * KIB)));

        runs.process().run(Duration.ofMillis(1));

        assertThat(runs.written().keys()).containsExactly(runs.keys().chunk(1, OutputChannel.STDOUT));
    }

    @Test
    void a_write_on_the_other_stream_is_a_chunk_of_its_own_in_the_order_of_the_writes() throws Exception {
        Chunker.Stored stored = runs.process().call(() -> {
            write(chunker, OutputChannel.STDOUT, "1");
            write(chunker, OutputChannel.STDERR, "2");
            write(chunker, OutputChannel.STDOUT, "3");
            return chunker.close();
        });

        assertThat(stored.lastSeq()).isEqualTo(3);
        assertThat(runs.written().keys())
                .containsExactly(
                        runs.keys().chunk(1, OutputChannel.STDOUT),
                        runs.keys().chunk(2, OutputChannel.STDERR),
                        runs.keys().chunk(3, OutputChannel.STDOUT));
    }

    @Test
    void whatever_the_store_does_both_streams_are_stored_whole_and_in_order() {
        Seeded.check(40, random -> {
            StoredRuns world = new StoredRuns(Records.of("a.example.com"), new OneProcess(random.nextLong()));
            Chunker seeded = chunker(world);
            world.store()
                    .failAtRandom(
                            random.nextLong(),
                            0.4,
                            Fault.UNAVAILABLE,
                            Fault.AMBIGUOUS_DONE,
                            Fault.AMBIGUOUS_NOT_DONE,
                            Fault.CONFLICT);
            StringBuilder out = new StringBuilder();
            StringBuilder err = new StringBuilder();
            Scheduler.Task first = printer(world, seeded, OutputChannel.STDOUT, out, random.nextInt());
            Scheduler.Task second = printer(world, seeded, OutputChannel.STDERR, err, random.nextInt());

            Chunker.Stored stored = world.process().call(() -> {
                first.join();
                second.join();
                return seeded.close();
            });

            assertThat(stream(world, OutputChannel.STDOUT)).isEqualTo(out.toString());
            assertThat(stream(world, OutputChannel.STDERR)).isEqualTo(err.toString());
            assertThat(seqs(world))
                    .isEqualTo(
                            LongStream.rangeClosed(1, stored.lastSeq()).boxed().toList());
        });
    }

    private static Scheduler.Task printer(
            StoredRuns world, Chunker chunker, OutputChannel channel, StringBuilder printed, int seed) {
        Random random = new Random(seed);
        return world.process().scheduler().fork("printer", () -> {
            try {
                for (int i = 0; i < 15; i++) {
                    String text = (char) ('a' + i) + "x".repeat(random.nextInt(random.nextBoolean() ? 9 : 400 * KIB));
                    printed.append(text);
                    write(chunker, channel, text);
                    world.process().scheduler().sleep(Duration.ofMillis(random.nextInt(2000)));
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void output_past_64_MiB_is_dropped_and_said_to_be_truncated() throws Exception {
        String mebibyte = "x".repeat(KIB * KIB);

        Chunker.Stored stored = runs.process().call(() -> {
            for (int i = 0; i < 65; i++) {
                write(chunker, OutputChannel.STDOUT, mebibyte);
            }
            return chunker.close();
        });

        assertThat(stored).isEqualTo(new Chunker.Stored(256, true));
        assertThat(runs.written().writes().stream()
                        .mapToLong(w -> w.value().length)
                        .sum())
                .isEqualTo(64L * KIB * KIB);
    }

    @Test
    void exactly_64_MiB_are_not_truncated() throws Exception {
        String mebibyte = "x".repeat(KIB * KIB);

        Chunker.Stored stored = runs.process().call(() -> {
            for (int i = 0; i < 64; i++) {
                write(chunker, OutputChannel.STDOUT, mebibyte);
            }
            return chunker.close();
        });

        assertThat(stored.truncated()).isFalse();
    }

    @Test
    void output_past_64_MiB_is_taken_at_4_MiB_a_second_of_both_streams_together() throws Exception {
        runs.process().call(() -> write(chunker, OutputChannel.STDOUT, "x".repeat(64 * KIB * KIB)));
        int[] taken = new int[1];
        for (OutputChannel channel : OutputChannel.values()) {
            runs.process().fork("command " + channel, () -> print64MebibytesMore(channel, taken));
        }

        runs.process().run(Duration.ofSeconds(10));

        assertThat(taken[0]).isBetween(40 * KIB * KIB - 128 * KIB, 40 * KIB * KIB + 128 * KIB);
    }

    @Test
    void a_command_that_has_ended_is_slowed_down_no_more() throws Exception {
        Instant start = runs.now();
        runs.process().after(Duration.ofSeconds(3), chunker::hurry);

        runs.process().call(() -> {
            write(chunker, OutputChannel.STDOUT, "x".repeat(64 * KIB * KIB));
            write(chunker, OutputChannel.STDOUT, "x".repeat(64 * KIB * KIB));
            return write(chunker, OutputChannel.STDOUT, "x".repeat(64 * KIB * KIB));
        });

        assertThat(runs.now()).isEqualTo(start.plusSeconds(3));
    }

    @Test
    void output_that_is_given_up_slows_nobody_down() throws Exception {
        Instant start = runs.now();
        runs.process().after(Duration.ofSeconds(3), chunker::abandon);

        assertThatThrownBy(() -> runs.process().call(() -> {
                    write(chunker, OutputChannel.STDOUT, "x".repeat(64 * KIB * KIB));
                    return write(chunker, OutputChannel.STDOUT, "x".repeat(64 * KIB * KIB));
                }))
                .isInstanceOf(InterruptedException.class);

        assertThat(runs.now()).isEqualTo(start.plusSeconds(3));
    }

    private void print64MebibytesMore(OutputChannel channel, int[] taken) throws InterruptedException {
        while (taken[0] < 64 * KIB * KIB) {
            write(chunker, channel, "x".repeat(64 * KIB));
            taken[0] += 64 * KIB;
        }
    }

    @Test
    void a_close_returns_when_everything_is_durable_and_not_before() throws Exception {
        runs.store()
                .beforeNext(
                        Call.PUT, key -> true, () -> runs.process().simulation().pause(Duration.ofMinutes(7)));
        Instant start = runs.now();

        runs.process().call(() -> {
            write(chunker, OutputChannel.STDOUT, "x".repeat(300 * KIB));
            return chunker.close();
        });

        assertThat(runs.now()).isEqualTo(start.plus(Duration.ofMinutes(7)));
        assertThat(runs.written().writes()).hasSize(2);
    }

    @Test
    void a_close_without_output_stores_nothing() throws Exception {
        assertThat(runs.process().call(chunker::close)).isEqualTo(new Chunker.Stored(0, false));

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_write_after_the_close_fails() throws Exception {
        runs.process().call(chunker::close);

        assertThatThrownBy(() -> runs.process().call(() -> write(chunker, OutputChannel.STDOUT, "x")))
                .isInstanceOf(InterruptedException.class);
    }

    private static Void write(Chunker chunker, OutputChannel channel, String text) throws InterruptedException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        chunker.write(channel, bytes, 0, bytes.length);
        return null;
    }

    /** What was stored of one stream, joined. */
    private static String stream(StoredRuns world, OutputChannel channel) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (Write write : world.written().writes()) {
            ChunkName name = world.keys().parseChunk(write.key()).orElseThrow();
            if (name.channel() == channel) {
                joined.writeBytes(write.value());
            }
        }
        return joined.toString(StandardCharsets.US_ASCII);
    }

    private static List<Long> seqs(StoredRuns world) {
        return world.written().keys().stream()
                .map(key -> world.keys().parseChunk(key).orElseThrow().seq())
                .toList();
    }
}
