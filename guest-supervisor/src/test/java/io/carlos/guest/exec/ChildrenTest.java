package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.process.EndedChild;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildrenTest {
    @Test
    void aReaperThatBreaksTellsWhoeverStopsTheSupervisor() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        new Children(ChildrenTest::breakDown, told::countDown).startReaping();
        assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static Optional<EndedChild> breakDown() {
        throw new OutOfMemoryError("made up by the test");
    }
}
