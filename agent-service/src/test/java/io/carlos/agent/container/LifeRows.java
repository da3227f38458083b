package io.carlos.agent.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** From a container's creation to its removal. */
abstract class LifeRows extends StreamRows {
    @Test
    void containerExistsFromItsCreationToItsRemoval() throws Exception {
        ContainerSpec spec = spec();
        assertThat(runtime().exists(spec.name())).isFalse();
        ContainerId id = runtime().create(spec);
        assertThat(runtime().exists(spec.name())).isTrue();
        runtime().remove(id);
        assertThat(runtime().exists(spec.name())).isFalse();
    }

    @Test
    void nameInUseIsRefusedAndFreeAgainAfterTheRemoval() throws Exception {
        ContainerSpec spec = spec();
        ContainerId first = runtime().create(spec);
        assertThatThrownBy(() -> runtime().create(spec))
                .isInstanceOf(NameInUseException.class)
                .hasMessageContaining(spec.name());
        runtime().remove(first);
        ContainerId second = runtime().create(spec);
        assertThat(second).isNotEqualTo(first);
        runtime().remove(second);
    }

    @Test
    void commandBeforeTheStartIsRefused() throws Exception {
        ContainerId id = runtime().create(spec());
        assertThat(reasonOfCommandIn(id)).isEqualTo(Reason.NOT_READY);
        runtime().remove(id);
    }

    private Reason reasonOfCommandIn(ContainerId id) {
        return catchThrowableOfType(CommandException.class, () -> runtime().exec(id, ExecSpec.of("true")))
                .reason();
    }

    @Test
    void removalTwiceIsNoError() throws Exception {
        ContainerId id = runtime().create(spec());
        runtime().remove(id);
        runtime().remove(id);
        assertThat(reasonOfCommandIn(id)).isEqualTo(Reason.NOT_READY);
        assertThatThrownBy(() -> runtime().start(id)).isInstanceOf(NoSuchContainerException.class);
    }

    @Test
    void secondStartIsRefusedAndHarmless() throws Exception {
        assertThatThrownBy(() -> runtime().start(shared())).isInstanceOf(ContainerException.class);
        assertThat(outputOf("echo there")).isEqualTo("there\n");
    }

    @Test
    void resizeIsNotImplemented() {
        assertThatThrownBy(() -> runtime().resize(shared(), 24, 80)).isInstanceOf(ResizeNotImplementedException.class);
    }

    @Test
    void mountIsOneDirectoryOnEitherSide() throws Exception {
        Files.writeString(workspace().resolve("in"), "from the host");
        assertThat(outputOf("cd " + workspaceInside() + "; cat in; echo from within >out"))
                .isEqualTo("from the host");
        assertThat(workspace().resolve("out")).hasContent("from within\n");
    }

    /** What is refused meanwhile is seen in the same stop: a container may take long to start. */
    @Test
    void stopAsksFirstAndCommandsEndInTheirOwnWayWhileNewOnesAreRefused() throws Exception {
        ContainerId id = started();
        Path last = workspace().resolve("last-words");
        Path release = workspace().resolve("release");
        String farewell = "echo asked; cd " + workspaceInside()
                + "; while [ ! -e release ]; do sleep 0.05; done; echo ended >last-words; exit 0";
        StreamingExec exec = runtime()
                .execStreaming(
                        id,
                        StreamingExecSpec.of(
                                "sh", "-c", "trap '" + farewell + "' TERM; echo; while :; do sleep 0.05; done"));
        assertThat(exec.stdout().read()).isEqualTo('\n');
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> stop = threads.submit(() -> {
                runtime().stop(id, LONG_GRACE);
                return null;
            });
            assertThat(text(exec.stdout().readNBytes(6))).isEqualTo("asked\n");
            assertThat(reasonOfCommandIn(id)).isEqualTo(Reason.NOT_READY);
            Files.createFile(release);
            stop.get();
        }
        Files.delete(release);
        assertThat(last).hasContent("ended\n");
        assertThat(reasonOfCommandIn(id)).isEqualTo(Reason.NOT_READY);
        runtime().stop(id, LONG_GRACE);
        runtime().remove(id);
    }

    @Test
    void stopKillsWhatIsLeftAfterItsTimeAndItsCommandsFailOrAreKilled() throws Exception {
        ContainerId id = started();
        StreamingExec exec = runtime()
                .execStreaming(
                        id, StreamingExecSpec.of("sh", "-c", "trap '' TERM; echo; while :; do sleep 0.05; done"));
        assertThat(exec.stdout().read()).isEqualTo('\n');
        runtime().stop(id, Duration.ofMillis(200));
        assertThatThrownBy(() -> exec.child().waitFor())
                .isInstanceOfAny(CommandException.class, ExitStatusException.class);
        assertThatThrownBy(() -> exec.stdout().readAllBytes()).isInstanceOf(CommandException.class);
        runtime().remove(id);
    }

    @Test
    void removalOfARunningContainerFailsItsCommands() throws Exception {
        ContainerId id = started();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<CommandException> failure = threads.submit(() -> catchThrowableOfType(
                    CommandException.class, () -> runtime().exec(id, ExecSpec.of("sleep", "3907"))));
            awaitSleeping(id, "3907", true);
            runtime().remove(id);
            assertThat(failure.get().reason()).isEqualTo(Reason.TRANSPORT);
            assertThat(failure.get()).hasMessageContaining(id.value());
        }
    }
}
