package io.carlos.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a command ends, by itself and when it is stopped. */
abstract class CommandEndContract extends LauncherFixture {
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 255})
    void exitStatusIsReported(int status) throws Exception {
        assertThat(shell("exit " + status).finish()).isEqualTo(new CommandEnd.Exited(status, ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 11})
    void deathBySignalIsReportedAsThatSignal(int signal) throws Exception {
        assertThat(shell("kill -" + signal + " $$").finish()).isEqualTo(new CommandEnd.Killed(signal, ""));
    }

    @Test
    void awaitEndOfARunningCommandIsEmptyWhenTheTimeIsUp() throws Exception {
        Running running = start("sleep", "1000");
        assertThat(running.run().awaitEnd(Duration.ofMillis(1))).isEmpty();
        running.run().stop(LONG_GRACE);
    }

    // The loops sleep for short: a shell that gets the signal just before it forks runs its trap only after the child.

    @Test
    void commandThatTrapsTermEndsWithItsOwnStatusAndOutput() throws Exception {
        Running running = shell("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.1; done");
        running.sink().awaitStdout("ready", BOUND);
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Exited(7, ""));
        assertThat(running.sink().stdout()).isEqualTo("ready\nbye\n");
    }

    @Test
    void commandThatIgnoresTermIsKilledAfterTheGrace() throws Exception {
        Running running = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done");
        running.sink().awaitStdout("ready", BOUND);
        assertThat(running.run().stop(SHORT)).isEqualTo(new CommandEnd.Killed(9, ""));
    }

    @Test
    void stopRightAfterLaunchEndsTheCommand() throws Exception {
        Running running = start("sleep", "1000");
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Killed(15, ""));
    }

    @Test
    void stopOfAnEndedCommandKeepsItsOwnEnd() throws Exception {
        Running running = shell("exit 5");
        running.finish();
        assertThat(running.run().awaitEnd(Duration.ZERO)).contains(new CommandEnd.Exited(5, ""));
    }

    @Test
    void secondStopGivesTheSameAnswer() throws Exception {
        Running running = shell(SHORT, "sleep 1000 & exit 6");
        CommandEnd first = running.finish();
        assertThat(running.run().stop(Duration.ZERO)).isEqualTo(first);
    }

    @Test
    void interruptedStopGoesOnWhereItWas() throws Exception {
        Running running = shell(
                SHORT, "setsid sleep 1000 & trap 'echo asked; exit 3' TERM; echo ready; while :; do sleep 0.1; done");
        running.sink().awaitStdout("ready", BOUND);
        Thread stopper = Thread.ofVirtual().start(() -> {
            try {
                running.run().stop(LONG_GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        running.sink().awaitStdout("asked", BOUND);
        assertThat(running.run().awaitEnd(BOUND)).isPresent();
        stopper.interrupt();
        stopper.join();
        assertThat(running.run().stop(SHORT))
                .as("it did not end by itself, so that nothing is to be noted of its background")
                .isEqualTo(new CommandEnd.Exited(3, ""));
    }
}
