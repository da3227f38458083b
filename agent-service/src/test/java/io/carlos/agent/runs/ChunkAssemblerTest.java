package io.carlos.agent.runs;

import static io.carlos.model.runs.OutputChannel.STDERR;
import static io.carlos.model.runs.OutputChannel.STDOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.OutputChannel;
import io.carlos.model.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChunkAssemblerTest {
    private static final long SECOND = 1_000_000_000L;

    private final ChunkAssembler assembler = new ChunkAssembler();

    @Test
    void a_write_on_the_other_stream_cuts_the_chunk() {
        append(STDOUT, "out");
        append(STDERR, "err");
        append(STDOUT, "more");
        assembler.sealOpen();

        assertThat(texts()).containsExactly("1-STDOUT-out", "2-STDERR-err", "3-STDOUT-more");
    }

    @Test
    void writes_on_one_stream_gather_in_one_chunk() {
        append(STDOUT, "a");
        append(STDOUT, "b");
        assembler.sealOpen();

        assertThat(texts()).containsExactly("1-STDOUT-ab");
    }

    @Test
    void a_chunk_is_sealed_when_it_is_full_and_not_a_byte_before() {
        append(STDOUT, new byte[ChunkAssembler.CHUNK_BYTES - 1], 0);
        assertThat(assembler.poll()).isNull();

        append(STDOUT, "x");

        assertThat(assembler.poll().bytes()).hasSize(ChunkAssembler.CHUNK_BYTES);
    }

    @Test
    void a_chunk_is_due_one_second_after_its_first_byte() {
        assembler.append(STDOUT, new byte[] {1}, 0, 1, 5 * SECOND);
        assembler.append(STDOUT, new byte[] {2}, 0, 1, 5 * SECOND + 900_000_000);
        assertThat(assembler.dueAt()).hasValue(6 * SECOND);

        assembler.seal(6 * SECOND - 1);
        assertThat(assembler.poll()).isNull();
        assembler.seal(6 * SECOND);

        assertThat(assembler.poll().bytes()).containsExactly(1, 2);
        assertThat(assembler.dueAt()).isEmpty();
    }

    @Test
    void no_output_is_no_chunk() {
        assembler.sealOpen();
        assembler.seal(SECOND);

        assertThat(assembler.poll()).isNull();
        assertThat(assembler.lastSeq()).isZero();
    }

    @Test
    void when_everything_waiting_is_as_much_as_may_wait_nothing_more_is_taken_until_a_chunk_is_gone() {
        byte[] much = new byte[ChunkAssembler.MAX_PENDING_BYTES + 10];
        int taken = 0;
        while (taken < ChunkAssembler.MAX_PENDING_BYTES) {
            taken += assembler.append(STDOUT, much, taken, much.length - taken, 0);
        }
        assertThat(assembler.append(STDOUT, much, 0, 10, 0)).isZero();

        assembler.poll();

        assertThat(assembler.append(STDOUT, much, 0, 10, 0)).isEqualTo(10);
    }

    @Test
    void streams_that_take_turns_byte_by_byte_wait_too() {
        int taken = 0;
        for (int i = 0; i < 1_000; i++) {
            taken += assembler.append(i % 2 == 0 ? STDOUT : STDERR, new byte[1], 0, 1, 0);
        }

        assertThat(taken).isEqualTo(ChunkAssembler.MAX_PENDING_CHUNKS + 1);
    }

    @Test
    void exactly_the_limit_is_kept_and_not_called_truncated() {
        assertThat(fill(ChunkAssembler.MAX_TOTAL_BYTES)).isEqualTo(ChunkAssembler.MAX_TOTAL_BYTES);
        assertThat(assembler.isTruncated()).isFalse();
    }

    @Test
    void past_the_limit_bytes_are_dropped_to_the_last_byte_and_the_run_is_truncated() {
        long stored = fill(ChunkAssembler.MAX_TOTAL_BYTES - 3);
        assertThat(assembler.append(STDERR, new byte[10], 0, 10, 0)).isEqualTo(3);
        assertThat(assembler.append(STDERR, new byte[10], 3, 7, 0)).isEqualTo(7);
        assembler.sealOpen();
        Chunk last = assembler.poll();

        assertThat(stored + last.bytes().length).isEqualTo(ChunkAssembler.MAX_TOTAL_BYTES);
        assertThat(assembler.isTruncated()).isTrue();
        assertThat(assembler.poll()).isNull();
    }

    @Test
    void whatever_the_writes_each_streams_bytes_come_out_in_order_under_rising_seqs() {
        Seeded.check(200, random -> {
            ChunkAssembler fresh = new ChunkAssembler();
            Map<OutputChannel, ByteArrayOutputStream> in = streams();
            Map<OutputChannel, ByteArrayOutputStream> out = streams();
            long now = 0;
            long seq = 0;
            for (int i = 0; i < 300; i++) {
                now += random.nextLong(SECOND / 2);
                OutputChannel channel = random.nextInt(3) == 0 ? STDERR : STDOUT;
                byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 200_000 : 50)];
                random.nextBytes(bytes);
                int taken = fresh.append(channel, bytes, 0, bytes.length, now);
                in.get(channel).write(bytes, 0, taken);
                fresh.seal(now);
                for (int polls = random.nextInt(3); polls > 0; polls--) {
                    seq = take(fresh.poll(), seq, out);
                }
            }
            fresh.sealOpen();
            for (Chunk chunk = fresh.poll(); chunk != null; chunk = fresh.poll()) {
                seq = take(chunk, seq, out);
            }
            assertThat(fresh.lastSeq()).isEqualTo(seq);
            for (OutputChannel channel : OutputChannel.values()) {
                assertThat(out.get(channel).toByteArray())
                        .isEqualTo(in.get(channel).toByteArray());
            }
        });
    }

    private static Map<OutputChannel, ByteArrayOutputStream> streams() {
        Map<OutputChannel, ByteArrayOutputStream> streams = new EnumMap<>(OutputChannel.class);
        for (OutputChannel channel : OutputChannel.values()) {
            streams.put(channel, new ByteArrayOutputStream());
        }
        return streams;
    }

    private static long take(Chunk chunk, long seq, Map<OutputChannel, ByteArrayOutputStream> out) {
        if (chunk == null) {
            return seq;
        }
        assertThat(chunk.seq()).isEqualTo(seq + 1);
        assertThat(chunk.bytes()).hasSizeBetween(1, ChunkAssembler.CHUNK_BYTES);
        out.get(chunk.channel()).writeBytes(chunk.bytes());
        return seq + 1;
    }

    private long fill(long total) {
        byte[] block = new byte[ChunkAssembler.CHUNK_BYTES];
        long stored = 0;
        long left = total;
        while (left > 0) {
            left -= assembler.append(STDOUT, block, 0, (int) Math.min(block.length, left), 0);
            if (left == 0) {
                assembler.sealOpen();
            }
            for (Chunk chunk = assembler.poll(); chunk != null; chunk = assembler.poll()) {
                stored += chunk.bytes().length;
            }
        }
        return stored;
    }

    private void append(OutputChannel channel, String text) {
        append(channel, text.getBytes(StandardCharsets.UTF_8), 0);
    }

    private void append(OutputChannel channel, byte[] bytes, long now) {
        assertThat(assembler.append(channel, bytes, 0, bytes.length, now)).isEqualTo(bytes.length);
    }

    private List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (Chunk chunk = assembler.poll(); chunk != null; chunk = assembler.poll()) {
            texts.add(chunk.seq() + "-" + chunk.channel() + "-" + new String(chunk.bytes(), StandardCharsets.UTF_8));
        }
        return texts;
    }
}
