package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.testing.SupervisorProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of commands when something of the supervisor itself fails. */
@Timeout(60)
class ExecutionsTest {
    private static final OutputPumps.Sink NOBODY = (bytes, length) -> {};

    private static final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    /** One for all tests: two would take the ends of each other's children. */
    private static final Executions executions = new Executions(
            ChildStarter.ofThisProcess(new GroupLookup(Path.of("/etc/passwd"))),
            new SessionContainment.Factory(),
            threads);

    @AfterAll
    static void stopThreads() {
        executions.close();
        threads.shutdownNow();
    }

    private static Execution start(String script) throws Exception {
        return executions.start(ExecCommand.of(
                List.of("sh", "-c", script), SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"), Map.of(), "/"));
    }

    private static ChildEnd end(Execution execution) throws Exception {
        return execution.finished().get(30, TimeUnit.SECONDS);
    }

    @Test
    void outputThatASinkLosesIsNoGoodEnd() throws Exception {
        Execution execution = start("echo lost; exit 0");
        OutputPumps.Sink failing = (bytes, length) -> {
            throw new OutOfMemoryError("made up by the test");
        };
        executions.follow(execution, new ExecOutput(failing, NOBODY));
        assertThatThrownBy(() -> end(execution))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("stdout");
    }

    @Test
    void aSinkThatTakesNothingMoreLosesNothing() throws Exception {
        Execution execution = start("echo refused; exit 3");
        OutputPumps.Sink full = (bytes, length) -> {
            throw new InterruptedException("enough");
        };
        executions.follow(execution, new ExecOutput(full, NOBODY));
        assertThat(end(execution)).isEqualTo(new ChildEnd.Exited(3));
    }
}
