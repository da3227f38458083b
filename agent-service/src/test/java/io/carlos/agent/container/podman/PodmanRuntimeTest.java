package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.StartFailedException;
import io.carlos.agent.service.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a stand-in for podman that notes how it is called and fails when it is told to. */
@Timeout(60)
class PodmanRuntimeTest {
    private static final String ID = "0123456789abcdef";

    @TempDir
    private Path directory;

    /** @param answers branches of a shell's case over podman's verb */
    private PodmanSettings settings(String answers) {
        String script = "echo \"$*\" >>'" + directory.resolve("calls") + "'; case $1 in " + answers
                + " container) exit 1 ;; create) echo " + ID + " ;; esac";
        return PodmanSettings.of(
                        new ContainerRoot.Directory(directory), Path.of("/opt/carlos/carlos"), "owner", Map.of())
                .withProgram(List.of("/bin/sh", "-c", script, "podman"));
    }

    private List<String> calls() throws Exception {
        return Files.readAllLines(directory.resolve("calls"));
    }

    private ContainerSpec spec() {
        return ContainerSpec.of("one", Mount.readWrite(directory, "/workspace"), 1000, Map.of());
    }

    @Test
    void leftContainersAreRemovedBeforeAnythingElse() throws Exception {
        PodmanRuntime.open(settings("ps) echo " + ID + "; echo fedcba9876543210 ;;"));
        assertThat(calls())
                .containsExactly(
                        "ps --all --quiet --no-trunc --filter=label=io.carlos.owner=owner",
                        "rm --force --ignore --time=0 --volumes " + ID,
                        "rm --force --ignore --time=0 --volumes fedcba9876543210");
    }

    @Test
    void lifeOfAContainerIsOneCallEach() throws Exception {
        PodmanRuntime runtime = PodmanRuntime.open(settings(""));
        ContainerId id = runtime.create(spec());
        runtime.start(id);
        runtime.stop(id, Duration.ofSeconds(7));
        runtime.stop(id, Duration.ofSeconds(7));
        runtime.remove(id);
        assertThat(calls().stream().map(call -> call.startsWith("create ") ? "create" : call))
                .containsExactly(
                        "ps --all --quiet --no-trunc --filter=label=io.carlos.owner=owner",
                        "container exists one",
                        "create",
                        "start " + ID,
                        "stop --ignore --time=6 " + ID,
                        "rm --force --ignore --time=0 --volumes " + ID);
    }

    @Test
    void startThatPodmanRefusesTellsWhyAndIsTheOnlyOne() throws Exception {
        PodmanRuntime runtime = PodmanRuntime.open(settings("start) echo 'Error: crun: no' >&2; exit 126 ;;"));
        ContainerId id = runtime.create(spec());
        assertThatThrownBy(() -> runtime.start(id))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("one")
                .hasMessageContaining("crun: no");
        assertThatThrownBy(() -> runtime.start(id))
                .isInstanceOf(ContainerException.class)
                .hasMessageContaining("cannot be started");
    }

    @Test
    void creationThatFailsLeavesTheNameFree() throws Exception {
        PodmanRuntime runtime = PodmanRuntime.open(settings("create) echo 'no room' >&2; exit 125 ;;"));
        assertThatThrownBy(() -> runtime.create(spec())).hasMessageContaining("no room");
        assertThat(runtime.exists("one")).isFalse();
    }

    @Test
    void creationThatIsInterruptedLeavesNoContainerOfTheName() throws Exception {
        PodmanRuntime runtime = PodmanRuntime.open(settings("create) exec sleep 3912 ;;"));
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread creating =
                Thread.ofPlatform().start(() -> failure.complete(catchThrowable(() -> runtime.create(spec()))));
        Await.until("a creation", () -> lastCall().startsWith("create "));

        creating.interrupt();

        assertThat(failure.get()).isInstanceOf(InterruptedException.class);
        assertThat(lastCall()).isEqualTo("rm --force --ignore --time=0 --volumes one");
        assertThat(runtime.exists("one")).isFalse();
    }

    private String lastCall() {
        try {
            return calls().getLast();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void stopThatFailsIsToldAndCanBeRepeated() throws Exception {
        PodmanRuntime runtime =
                PodmanRuntime.open(settings("stop) mkdir '" + directory + "/second' || exit 0; exit 125 ;;"));
        ContainerId id = runtime.create(spec());
        runtime.start(id);
        assertThatThrownBy(() -> runtime.stop(id, Duration.ZERO)).hasMessageContaining("cannot be stopped");
        runtime.remove(id);
        assertThat(runtime.exists("one")).isFalse();
    }

    @Test
    void commandThatPodmanDoesNotStartFailsWithItsWord() throws Exception {
        PodmanRuntime runtime = PodmanRuntime.open(settings("exec) echo 'Error: state improper' >&2; exit 127 ;;"));
        ContainerId id = runtime.create(spec());
        runtime.start(id);
        CommandException failure =
                catchThrowableOfType(CommandException.class, () -> runtime.exec(id, ExecSpec.of("true")));
        assertThat(failure.reason()).isEqualTo(CommandException.Reason.TRANSPORT);
        assertThat(failure).hasMessageContaining("state improper").hasMessageContaining("true");
    }

    @Test
    void callWithoutAnAnswerIsEndedAfterItsBound() {
        Podman podman = new Podman(settings("info) exec sleep 3911 ;;"), Duration.ofMillis(300));
        assertThatThrownBy(() -> podman.succeed("one", List.of("info"))).hasMessageContaining("no answer after PT0.3S");
        assertThat(ProcessHandle.current()
                        .children()
                        .flatMap(child -> child.info().commandLine().stream())
                        .filter(words -> words.contains("3911")))
                .isEmpty();
    }

    @Test
    void podmanThatIsNotThereIsNamed() {
        PodmanSettings missing = settings("").withProgram(List.of("/no/such/podman"));
        assertThatThrownBy(() -> PodmanRuntime.open(missing))
                .isInstanceOf(ContainerException.class)
                .hasMessageContaining("/no/such/podman")
                .hasMessageContaining("install podman");
    }
}
