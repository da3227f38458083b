package io.carlos.agent.launch.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.model.names.InvocationId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that nobody wants any more when its unit could be started. */
@Timeout(60)
class UnwantedLaunchTest {
    @TempDir
    private Path root;

    private final AtomicBoolean wanted = new AtomicBoolean(true);
    private UnitWorld world;

    @BeforeEach
    void makeWorld() throws IOException {
        world = new UnitWorld(root);
    }

    private LaunchOutcome launch() throws InterruptedException {
        LaunchRequest plain = world.request();
        LaunchRequest request = new LaunchRequest(
                plain.id(),
                plain.record(),
                plain.incarnation(),
                plain.argv(),
                plain.environment(),
                plain.dataDirectory(),
                plain.runDirectory(),
                wanted::get);
        return world.launcher().launch(request, new RecordingSink());
    }

    @Test
    void runThatWasGivenUpWhileItsInstanceWasMadeReadyIsNotStarted() throws Exception {
        wanted.set(false);
        assertThat(launch()).isEqualTo(new LaunchOutcome.Unwanted());
        assertThat(world.control().calls()).doesNotContain("start");
        world.assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"BUSY", "EXPIRED"})
    void runWhoseStartsDoNothingIsTriedUntilNobodyWantsItAnyMore(Outcome outcome) throws Exception {
        for (int i = 1; i <= 100; i++) {
            boolean wantedAfter = i < 50;
            world.control().onStart(() -> {
                wanted.set(wantedAfter);
                return ScriptedControl.<InvocationId>failing(outcome).run();
            });
        }
        assertThat(launch()).isEqualTo(new LaunchOutcome.Unwanted());
        assertThat(world.control().calls().stream().filter("start"::equals)).hasSize(50);
        world.assertNothingIsLeft();
    }

    @Test
    void runThatWasGivenUpWhileALeftoverWasStoppedIsNotStartedAgain() throws Exception {
        world.control().onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        world.control().onStop(() -> {
            wanted.set(false);
            return null;
        });
        assertThat(launch()).isEqualTo(new LaunchOutcome.Unwanted());
        assertThat(world.control().calls()).containsOnlyOnce("start");
        world.assertNothingIsLeft();
    }
}
