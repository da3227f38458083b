package io.carlos.model.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PidFdTest {
    @Test
    void endOfAProcessIsWaitedForAlthoughSomebodyElseReapsIt() throws Exception {
        Process process = new ProcessBuilder("cat").start();
        try (PidFd hold = PidFd.open((int) process.pid()).orElseThrow()) {
            process.outputWriter().close();
            hold.awaitEnd();
        }
        assertThat(process.waitFor()).isZero();
    }
}
