package io.carlos.model.linux;

import java.time.Duration;

/**
 * The time since the kernel booted: one clock for all processes of a box, which nobody can set and which goes on while the
 * machine sleeps (CLOCK_BOOTTIME of clock_gettime(2)).
 */
public final class BootClock {
    private static final int CLOCK_BOOTTIME = 7;

    private BootClock() {}

    public static long nanos() {
        long[] time = new long[2];
        if (Libc.clock_gettime(CLOCK_BOOTTIME, time) != 0) {
            throw new IllegalStateException("the kernel has no boot clock: errno " + Libc.lastErrno());
        }
        return Duration.ofSeconds(time[0], time[1]).toNanos();
    }
}
