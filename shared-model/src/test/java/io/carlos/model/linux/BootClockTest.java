package io.carlos.model.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BootClockTest {
    /** The kernel tells it of the same clock, in hundredths of a second, cut off. */
    private static long uptimeNanos() throws IOException {
        String[] uptimeAndIdle = Files.readString(Path.of("/proc/uptime")).split(" ");
        return new BigDecimal(uptimeAndIdle[0]).movePointRight(9).longValueExact();
    }

    @Test
    void tellsTheUptimeOfTheKernel() throws Exception {
        long before = uptimeNanos();
        long now = BootClock.nanos();
        long after = uptimeNanos() + 10_000_000;

        assertThat(now).isBetween(before, after);
    }
}
