package io.carlos.model.runs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Keeps what a follower handed on, as lines like {@code 1o:text}, and the states it told of. */
final class CollectedOutput implements FollowListener {
    private final List<String> chunks = new ArrayList<>();
    private final List<ActiveRun.State> states = new ArrayList<>();
    private int room = Integer.MAX_VALUE;

    /** Throws instead of taking the chunk after this many more. */
    CollectedOutput failAfter(int count) {
        room = count;
        return this;
    }

    @Override
    public void chunk(long seq, OutputChannel channel, byte[] bytes) throws IOException {
        if (room-- == 0) {
            throw new IOException("the terminal is gone");
        }
        chunks.add(seq + "" + channel.letter() + ":" + new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void state(ActiveRun run) {
        states.add(run.state());
    }

    List<String> chunks() {
        return chunks;
    }

    List<ActiveRun.State> states() {
        return states;
    }

    /** What {@link #chunks} is when chunks {@code from} to {@code to} of {@link #write} were each handed on once. */
    static List<String> expected(int from, int to) {
        List<String> lines = new ArrayList<>();
        for (int seq = from; seq <= to; seq++) {
            lines.add(seq + "" + channel(seq).letter() + ":text " + seq);
        }
        return lines;
    }

    /** Stores chunks whose channels and texts follow from their seqs. */
    static void write(StoredRuns runs, int from, int to) {
        for (int seq = from; seq <= to; seq++) {
            runs.putChunk(seq, channel(seq), "text " + seq);
        }
    }

    private static OutputChannel channel(int seq) {
        return seq % 3 == 0 ? OutputChannel.STDERR : OutputChannel.STDOUT;
    }
}
