package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.process.EndedChild;
import io.carlos.model.linux.process.PipedProcess;
import java.util.List;
import java.util.Map;
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

    @Test
    void aSessionIsNoMoreTheChildsThatHadItsNumberBefore() throws Exception {
        Children children = new Children(() -> Optional.empty(), () -> {});
        PipedProcess process = ProgramStart.start(ExecCommand.of(List.of("cat"), 1, Map.of(), Map.of(), "/"));
        try {
            Children.Child before = children.start(() -> process).child();
            int session = before.pid();
            assertThat(before.leads(session)).isTrue();
            assertThat(before.leads(session + 1)).isFalse();
            Children.Child after = children.start(() -> process).child();
            assertThat(after.leads(session)).isTrue();
            assertThat(before.leads(session)).isFalse();
            after.forget();
            assertThat(after.leads(session)).isFalse();
        } finally {
            process.stdin().close();
            process.stdout().close();
            process.stderr().close();
        }
    }

    private static Optional<EndedChild> breakDown() {
        throw new OutOfMemoryError("made up by the test");
    }
}
