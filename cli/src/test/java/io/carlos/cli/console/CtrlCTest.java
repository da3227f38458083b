package io.carlos.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CtrlCTest {
    @Test
    void handlerRunsAtEachCtrlC() throws Exception {
        Semaphore calls = new Semaphore(0);
        try (CtrlC _ = CtrlC.handledBy(calls::release)) {
            pressAndAwait(calls);
            pressAndAwait(calls);
        }
    }

    @Test
    void innerHandlerGoesFirstAndGivesWayToTheOuterOne() throws Exception {
        Semaphore outer = new Semaphore(0);
        Semaphore inner = new Semaphore(0);
        try (CtrlC _ = CtrlC.handledBy(outer::release)) {
            try (CtrlC _ = CtrlC.handledBy(inner::release)) {
                pressAndAwait(inner);
            }
            pressAndAwait(outer);
        }
        assertThat(inner.availablePermits()).isZero();
        assertThat(outer.availablePermits()).isZero();
    }

    private static void pressAndAwait(Semaphore calls) throws IOException, InterruptedException {
        String self = Long.toString(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("kill", "-INT", self).start().waitFor()).isZero();
        assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }
}
