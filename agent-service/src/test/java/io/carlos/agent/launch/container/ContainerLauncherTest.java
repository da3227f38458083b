package io.carlos.agent.launch.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a launch comes to, with containers that do what they are told. */
@Timeout(60)
class ContainerLauncherTest {
    private static final Path DATA = Path.of("/data/one");
    private static final int UID = 1000;

    private final ScriptedContainers containers = new ScriptedContainers();
    private final ContainerLauncher launcher = new ContainerLauncher(containers, ContainerPlaces.at("/workspace"), UID);
    private final RecordingSink sink = new RecordingSink();
    private final AtomicBoolean wanted = new AtomicBoolean(true);

    private LaunchOutcome launch() throws InterruptedException {
        return launcher.launch(
                new LaunchRequest(
                        RunId.random(new SecureRandom()),
                        Records.of("one.example.com").ref(),
                        Records.of("one.example.com").incarnation(),
                        List.of("./program"),
                        Map.of(),
                        DATA,
                        DATA.resolve("run"),
                        wanted::get),
                sink);
    }

    private CommandEnd end() throws InterruptedException {
        LaunchOutcome outcome = launch();
        assertThat(outcome).isInstanceOf(LaunchOutcome.Started.class);
        return ((LaunchOutcome.Started) outcome).run().stop(Duration.ofSeconds(60));
    }

    private void failStart(Reason reason) {
        containers.exec(() -> {
            throw new CommandException(reason, "exec of ./program in /run/socket", "./program: why", null);
        });
    }

    @Test
    void runThatIsWantedNoMoreWhenItsContainerIsUpIsNotExecuted() throws Exception {
        containers.onStart(() -> wanted.set(false));
        assertThat(launch()).isEqualTo(new LaunchOutcome.Unwanted());
        assertThat(containers.calls()).containsExactly("create", "start", "remove");
    }

    @Test
    void runWhoseContainersStartWasGivenUpIsUnwantedAndHasNotFailed() throws Exception {
        containers.heedsWanted().onStart(() -> wanted.set(false));
        assertThat(launch()).isEqualTo(new LaunchOutcome.Unwanted());
        assertThat(containers.calls()).containsExactly("create", "start", "remove");
    }

    @ParameterizedTest
    @CsvSource({"NOT_FOUND, 127", "DENIED, 126", "INVALID, 126"})
    void programThatCannotBeExecutedEndsAsInAShell(Reason reason, int status) throws Exception {
        failStart(reason);
        assertThat(end()).isEqualTo(new CommandEnd.Exited(status, ""));
        assertThat(sink.stderr()).isEqualTo("carlos: ./program: why\n");
        assertThat(containers.calls()).endsWith("remove");
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSPORT", "CANCELLED", "TIMEOUT"})
    void programThatMayHaveBeenExecutedHasStartedAndIsLost(Reason reason) throws Exception {
        failStart(reason);
        assertThat(end())
                .isEqualTo(new CommandEnd.Lost("the container ended while the command was started; it may have begun"));
        assertThat(sink.stderr()).isEmpty();
        assertThat(containers.calls()).endsWith("remove");
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_READY", "LIMIT", "UNSUPPORTED"})
    void programThatTheContainerDidNotTryIsAFailedLaunch(Reason reason) throws Exception {
        failStart(reason);
        assertThat(launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(containers.calls()).containsExactly("create", "start", "exec", "remove");
    }
}
