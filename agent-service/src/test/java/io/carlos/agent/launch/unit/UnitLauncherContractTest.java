package io.carlos.agent.launch.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.launch.RunLauncherContract;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.time.SystemScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract, with processes in the place of units. */
class UnitLauncherContractTest extends RunLauncherContract {
    /** Long enough for a shell's trap; a test waits for all of it. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final OpenGate gate = new OpenGate();
    private UnitBox box;
    private StandInUnits units;

    @BeforeEach
    void makeBox() throws IOException {
        box = new UnitBox(directory);
        units = new StandInUnits(box.paths(), GRACE);
    }

    @AfterEach
    void nothingOfAnyRunIsLeft() {
        assertThat(units.isEmpty()).as("no unit is loaded").isTrue();
        assertThat(gate.held()).isEmpty();
        assertThat(box.paths().logs()).isEmptyDirectory();
    }

    @Override
    protected Path dataDirectory(Host host) throws IOException {
        return box.addInstance(host);
    }

    @Override
    protected RunLauncher launcher(Duration drainBound) {
        return new UnitLauncher(units, box.paths(), gate, new SystemScheduler(), anybody -> true, drainBound);
    }

    @Override
    protected boolean isAlive(int pid) throws IOException {
        return ProcFs.stat(pid).filter(process -> !process.isDead()).isPresent();
    }

    @Override
    protected int manyRuns() {
        return 50;
    }

    @Test
    void commandAfterOneThatFailedIsExecuted() throws Exception {
        LaunchRequest request = request(Map.of(), "sh", "-c", "exit 7");
        RunLauncher launcher = launcher(Duration.ofSeconds(30));
        for (int i = 0; i < 2; i++) {
            assertThat(start(launcher, request, new RecordingSink()).finish()).isEqualTo(new CommandEnd.Exited(7, ""));
        }
    }

    @Test
    void commandIsExecutedOnceAlthoughAnEarlierStartThatWasGivenUpIsReadJustBeforeIts() throws Exception {
        ImpatientScheduler clock = new ImpatientScheduler();
        RunLauncher launcher =
                new UnitLauncher(units, box.paths(), gate, clock, anybody -> true, Duration.ofSeconds(30));
        LaunchRequest request = request(Map.of(), "sh", "-c", "echo x >> ran");
        Path ran = request.runDirectory().resolve("ran");
        units.whileStarting(host -> awaitFile(ran));
        units.leaveNextStartUnread(clock::nanoTime);
        assertThat(launcher.launch(request, new RecordingSink())).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(ran).doesNotExist();

        CommandEnd end = start(launcher, request, new RecordingSink()).finish();

        assertThat(end).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(ran).hasContent("x");
    }

    private static void awaitFile(Path file) {
        while (!Files.exists(file)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void commandWhoseStartIsWithdrawnIsExecutedOnceAndItsEndIsTold() throws Exception {
        LaunchRequest request = request(Map.of(), "sh", "-c", "echo x >> ran; exec sleep 600");
        Path ran = request.runDirectory().resolve("ran");
        units.whileStarting(host -> {
            awaitFile(ran);
            units.stop(host, Role.CMD);
        });

        CommandEnd end = start(launcher(Duration.ofSeconds(30)), request, new RecordingSink())
                .finish();

        assertThat(end).isEqualTo(new CommandEnd.Killed(15, ""));
        assertThat(ran).hasContent("x");
    }
}
