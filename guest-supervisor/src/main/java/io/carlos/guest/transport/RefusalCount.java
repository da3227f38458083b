package io.carlos.guest.transport;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Which of many refusals are worth a line: whoever is refused may come again as fast as it likes. For one thread. */
final class RefusalCount {
    static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private boolean told;
    private long lastTold;
    private long untold;

    RefusalCount(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return how many there were since it last returned a number; empty when that was less than a minute ago */
    OptionalLong add() {
        untold++;
        long now = nanoTime.getAsLong();
        if (told && now - lastTold < INTERVAL_NANOS) {
            return OptionalLong.empty();
        }
        long count = untold;
        told = true;
        lastTold = now;
        untold = 0;
        return OptionalLong.of(count);
    }
}
