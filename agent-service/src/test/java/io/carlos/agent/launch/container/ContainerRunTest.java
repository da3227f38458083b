package io.carlos.agent.launch.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.model.runs.OutputChannel;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a run, with containers that say what they are told. */
@Timeout(60)
class ContainerRunTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String ORDERLY = "stop PT10S";
    private static final String AT_ONCE = "stop PT0S";

    private final ScriptedExec command = new ScriptedExec();
    private final ScriptedContainers containers = new ScriptedContainers().onStop(command::lose);

    private static ContainerRun follow(ScriptedExec command, ScriptedContainers containers, OutputSink sink) {
        ContainerRun run = new ContainerRun("run test", containers, ScriptedContainers.ID, sink, SHORT);
        run.follow(command.attached());
        return run;
    }

    @Test
    void commandThatEndsKeepsItsEndAndItsOutput() throws Exception {
        RecordingSink sink = new RecordingSink();
        ContainerRun run = follow(command, containers, sink);
        command.print("said");
        command.endStreams();
        command.exit(3);
        assertThat(run.awaitEnd(LONG)).contains(new CommandEnd.Exited(3, ""));
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Exited(3, ""));
        assertThat(sink.stdout()).isEqualTo("said");
        assertThat(containers.calls()).containsExactly(ORDERLY, "remove");
    }

    @Test
    void containerThatSaysNothingOfAKilledCommandIsStopped() throws Exception {
        ContainerRun run = follow(command, containers, new RecordingSink());
        assertThat(run.stop(Duration.ZERO)).isInstanceOf(CommandEnd.Lost.class);
        assertThat(containers.calls()).startsWith(AT_ONCE);
    }

    @Test
    void sinkThatSlowsACommandDownStopsToWhenItsTimeIsOver() throws Exception {
        PacingSink sink = new PacingSink();
        ContainerRun run = follow(command, containers, sink);
        command.print("without end");
        sink.awaitCaller();
        assertThat(run.stop(Duration.ofMillis(1))).isInstanceOf(CommandEnd.Lost.class);
    }

    /** Holds every caller until it is told to hurry. */
    private static final class PacingSink implements OutputSink {
        private final HoldingSink held = new HoldingSink();

        @Override
        public void write(OutputChannel channel, byte[] bytes, int offset, int length) throws InterruptedException {
            held.write(channel, bytes, offset, length);
        }

        @Override
        public void hurry() {
            held.open();
        }

        void awaitCaller() throws InterruptedException {
            held.awaitCaller();
        }
    }

    @Test
    void containerIsNotToBlameForASinkThatHoldsTheOutput() throws Exception {
        HoldingSink sink = new HoldingSink();
        ContainerRun run = follow(command, containers, sink);
        command.print("kept");
        sink.awaitCaller();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<CommandEnd> stop = threads.submit(() -> run.stop(Duration.ofMillis(1)));
            command.awaitKill();
            letTheBoundPass();
            assertThat(containers.calls()).isEmpty();
            command.endStreams();
            command.exit(0);
            sink.open();
            assertThat(stop.get()).isEqualTo(new CommandEnd.Exited(0, ""));
        }
        assertThat(sink.stdout()).isEqualTo("kept");
        assertThat(containers.calls()).containsExactly(ORDERLY, "remove");
    }

    /** That of another command, whose container is to blame. */
    private static void letTheBoundPass() throws Exception {
        ScriptedExec other = new ScriptedExec();
        ContainerRun run = follow(other, new ScriptedContainers().onStop(other::lose), new RecordingSink());
        run.stop(Duration.ZERO);
    }

    @Test
    void streamsThatDoNotEndWithTheirCommandEndWithItsContainer() throws Exception {
        RecordingSink sink = new RecordingSink();
        ContainerRun run = follow(command, containers, sink);
        command.print("said");
        command.exit(0);
        assertThat(run.awaitEnd(LONG)).isPresent();
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(sink.stdout()).isEqualTo("said");
    }

    @Test
    void filesThatCannotBeRemovedHoldUpNoEnd() throws Exception {
        ContainerRun run = follow(command, containers.unremovable(), new RecordingSink());
        command.endStreams();
        command.exit(3);
        assertThat(run.awaitEnd(LONG)).isPresent();
        assertThat(run.stop(LONG)).isEqualTo(new CommandEnd.Exited(3, ""));
    }

    @Test
    void runThatIsGivenUpHasItsContainerEndedAtOnce() throws Exception {
        ContainerRun run = follow(command, containers, new RecordingSink());
        command.endStreams();
        command.exit(3);
        assertThat(run.awaitEnd(LONG)).isPresent();
        run.stop(Duration.ZERO);
        assertThat(containers.calls()).containsExactly(AT_ONCE, "remove");
    }
}
