package io.carlos.model.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StartReportTest {
    private static final int ERRNO = 111;

    private static final byte[] NOTHING = {};

    private static byte[] both(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void silenceIsNoExecution() {
        assertThat(StartReport.parse(NOTHING)).isEqualTo(new StartReport.BrokenOff());
    }

    @Test
    void silenceBehindTheAnnouncementIsTheExecution() {
        assertThat(StartReport.parse(StartReport.executing())).isEqualTo(new StartReport.Executed());
    }

    @ParameterizedTest
    @EnumSource
    void aFailureIsReadWhateverCameBefore(StartStep step) {
        byte[] failure = StartReport.failed(step, ERRNO);
        StartReport expected = new StartReport.Failed(step, ERRNO);
        assertThat(StartReport.parse(failure)).isEqualTo(expected);
        assertThat(StartReport.parse(both(StartReport.executing(), failure))).isEqualTo(expected);
        assertThat(both(StartReport.executing(), failure)).hasSizeLessThan(StartReport.MAX_BYTES);
    }

    @Test
    void halfAFailureIsNoExecution() {
        byte[] failure = StartReport.failed(StartStep.EXECUTE, ERRNO);
        for (int length = 1; length < failure.length; length++) {
            assertThat(StartReport.parse(Arrays.copyOf(failure, length))).isEqualTo(new StartReport.BrokenOff());
        }
    }

    @Test
    void anUnknownStepIsNoExecution() {
        byte[] failure = StartReport.failed(StartStep.EXECUTE, ERRNO);
        failure[0]++;
        assertThat(StartReport.parse(failure)).isEqualTo(new StartReport.BrokenOff());
        failure[0] = (byte) 0xff;
        assertThat(StartReport.parse(failure)).isEqualTo(new StartReport.BrokenOff());
    }
}
