package io.carlos.agent.simulation;

import io.carlos.model.runs.OutputChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a command does once it runs, drawn from the seed.
 *
 * @param status its exit status, when nothing ends it first
 * @param obeysTerm whether SIGTERM ends it
 */
record Script(List<Write> writes, int status, boolean obeysTerm) {
    /** Some bytes on one stream, after a while. */
    record Write(OutputChannel channel, Duration after, byte[] bytes) {}

    static Script draw(Random random) {
        List<Write> writes = new ArrayList<>();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[1 + random.nextInt(random.nextInt(8) == 0 ? 300_000 : 40)];
            random.nextBytes(bytes);
            Duration after = Duration.ofMillis(random.nextInt(random.nextInt(4) == 0 ? 30_000 : 800));
            writes.add(new Write(random.nextBoolean() ? OutputChannel.STDOUT : OutputChannel.STDERR, after, bytes));
        }
        if (random.nextInt(5) == 0) {
            writes.add(new Write(OutputChannel.STDOUT, Duration.ofMinutes(10), new byte[] {'x'}));
        }
        return new Script(writes, random.nextInt(256), random.nextInt(4) != 0);
    }
}
