package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerRuntimeContract;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.MountRefusedException;
import io.carlos.agent.container.NameInUseException;
import io.carlos.agent.container.StartFailedException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.model.testing.PodmanHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract in podman's containers, and in what these differ from machines, on purpose. */
class PodmanContractIT extends ContainerRuntimeContract {
    private static final int USER = 1000;
    private static final int NOBODYS = 4321;

    @TempDir
    private static Path directory;

    private Path workspace;
    private PodmanHost host;
    private PodmanSettings settings;
    private PodmanRuntime runtime;
    private ContainerId shared;

    @BeforeAll
    void open() throws Exception {
        host = PodmanHost.require(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        workspace = Files.createDirectory(directory.resolve("workspace"));
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxrwxrwx"));
        settings = PodmanSettings.of(
                        new ContainerRoot.Directory(host.root()),
                        host.nativeProgram(),
                        directory.toString(),
                        System.getenv())
                .withProgram(host.program())
                .withCreateArguments(host.createArguments());
        CommandUser self = CommandUser.self();
        if (self.volumeOptions().isEmpty()) {
            settings = self.applyTo(settings);
        }
        runtime = PodmanRuntime.open(settings);
        shared = started();
    }

    @AfterAll
    void nothingIsLeft() throws Exception {
        if (runtime != null) {
            runtime.close();
            Podman podman = new Podman(settings, BOUND);
            assertThat(podman.succeed("podman", List.of("ps", "--all", "--quiet"))
                            .stdout())
                    .isEmpty();
            // What containers have changed in their root file systems.
            assertThat(host.overlays()).isEmptyDirectory();
        }
        if (host != null) {
            host.close();
        }
    }

    @Override
    protected ContainerRuntime runtime() {
        return runtime;
    }

    @Override
    protected ContainerId shared() {
        return shared;
    }

    @Override
    protected Path workspace() {
        return workspace;
    }

    @Override
    protected String workspaceInside() {
        return "/workspace";
    }

    @Override
    protected int uid() {
        return USER;
    }

    @Override
    protected int unknownUid() {
        return NOBODYS;
    }

    @Test
    void outputOverItsLimitIsAFailureAndNotCut() {
        assertThat(refusal(ExecSpec.of("head", "-c", "9000000", "/dev/zero"))).isEqualTo(Reason.LIMIT);
    }

    @Test
    void statusThatLooksLikeASignalsIsTakenForOne() throws Exception {
        try (StreamingExec exec = stream("exit 137")) {
            assertThat(catchThrowableOfType(
                                    ExitStatusException.class,
                                    () -> exec.child().waitFor())
                            .signal())
                    .isEqualTo(9);
        }
    }

    @Test
    void keysThatDetachATerminalAreInputLikeAnyOther() throws Exception {
        try (StreamingExec exec = stream("exec cat")) {
            for (int key : new int[] {'P' - '@', 'Q' - '@'}) {
                exec.stdin().write(key);
                exec.stdin().flush();
                assertThat(exec.stdout().read()).isEqualTo(key);
            }
            exec.stdin().close();
            assertThat(exec.child().waitFor()).isZero();
        }
    }

    @Test
    void mountLabelIsPodmansWord() throws Exception {
        assertThat(runtime().mountLabel(shared())).doesNotContain("\n");
    }

    @Test
    void commandsHaveNoPrivilegesAndNoOtherGroup() throws Exception {
        assertThat(outputOf("grep -hE 'CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs' /proc/self/status"))
                .isEqualTo("""
                        CapInh:\t0000000000000000
                        CapPrm:\t0000000000000000
                        CapEff:\t0000000000000000
                        CapBnd:\t0000000000000000
                        CapAmb:\t0000000000000000
                        NoNewPrivs:\t1
                        """);
        assertThat(outputOf("id -G")).isEqualTo(USER + "\n");
    }

    @Test
    void containersOwnCommandRunsWithWhatItIsGranted() throws Exception {
        ContainerId id = runtime()
                .create(spec().withCommand(
                                List.of("sh", "-c", "id -u >/workspace/own; sleep 3910"),
                                Set.of("CAP_NET_BIND_SERVICE")));
        runtime().start(id);
        await("its word", () -> Files.exists(workspace.resolve("own")) && Files.size(workspace.resolve("own")) > 0);
        assertThat(workspace.resolve("own")).hasContent(USER + "\n");
        awaitSleeping(id, "3910", true);
        assertThat(text(runtime()
                        .exec(id, ExecSpec.of("sh", "-c", "grep -h CapEff /proc/[0-9]*/status | sort -u"))
                        .stdout()))
                .contains("CapEff:\t0000000000000400\n");
        runtime().remove(id);
    }

    @Test
    void severalMountsAreGivenAsTheyAreAskedFor() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("file"), "there");
        Mount first = spec().mounts().getFirst();
        ContainerId id = runtime().create(spec().withMounts(List.of(first, new Mount(other, "/srv", true))));
        runtime().start(id);
        assertThat(text(runtime()
                        .exec(id, ExecSpec.of("sh", "-c", "cat /srv/file; grep -c ' /srv ro,' /proc/self/mountinfo"))
                        .stdout()))
                .isEqualTo("there1\n");
        runtime().remove(id);
    }

    @Test
    void mountThatPodmanWouldReadDifferentlyIsRefusedByItsName() throws Exception {
        Path colon = Files.createDirectory(directory.resolve("with:colon"));
        assertThatThrownBy(() -> runtime().create(spec().withMounts(List.of(Mount.readWrite(colon, "/srv")))))
                .isInstanceOf(MountRefusedException.class)
                .hasMessageContaining("with:colon");
    }

    @Test
    void imageServesAsARootWhateverItWouldStartItself() throws Exception {
        Podman podman = new Podman(settings, BOUND);
        Path archive = directory.resolve("root.tar");
        assertThat(new ProcessBuilder("tar", "-C", host.root().toString(), "-cf", archive.toString(), ".")
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        podman.succeed(
                "podman",
                List.of("import", "--change=ENTRYPOINT [\"/no/such\"]", archive.toString(), "localhost/base"));
        PodmanRuntime ofImages = PodmanRuntime.open(new PodmanSettings(
                settings.program(),
                settings.environment(),
                settings.createArguments(),
                settings.volumeOptions(),
                new ContainerRoot.Image("localhost/base"),
                settings.nativeProgram(),
                "images"));
        ContainerId id = ofImages.create(spec());
        ofImages.start(id);
        assertThat(text(ofImages.exec(id, ExecSpec.of("echo", "there")).stdout()))
                .isEqualTo("there\n");
        ofImages.remove(id);
    }

    @Test
    void nameOfAnothersContainerIsInUse() throws Exception {
        Podman podman = new Podman(settings, BOUND);
        podman.succeed("podman", List.of("create", "--name=foreign", "--rootfs", host.root() + ":O", "sh"));
        assertThatThrownBy(() -> runtime().create(spec("foreign"))).isInstanceOf(NameInUseException.class);
        podman.succeed("podman", List.of("rm", "foreign"));
    }

    @Test
    void whatAnEarlierAgentLeftIsRemovedAndNothingElse() throws Exception {
        PodmanSettings earlier = new PodmanSettings(
                settings.program(),
                settings.environment(),
                settings.createArguments(),
                settings.volumeOptions(),
                settings.root(),
                settings.nativeProgram(),
                "another");
        PodmanRuntime first = PodmanRuntime.open(earlier);
        first.start(first.create(spec("left")));
        PodmanRuntime.open(earlier);
        Podman podman = new Podman(settings, BOUND);
        assertThat(podman.succeed("podman", List.of("ps", "--all", "--format={{.Names}}"))
                        .stdout()
                        .lines())
                .doesNotContain("left");
        assertThat(outputOf("echo there")).isEqualTo("there\n");
    }

    @Test
    void startThatFailsLeavesNothing() throws Exception {
        Podman podman = new Podman(settings, BOUND);
        List<String> all = List.of("ps", "--all", "--quiet", "--no-trunc");
        String before = podman.succeed("podman", all).stdout();
        Path gone = Files.createDirectory(directory.resolve("gone"));
        ContainerSpec spec = spec();
        ContainerId id =
                runtime().create(spec.withMounts(List.of(spec.mounts().getFirst(), Mount.readWrite(gone, "/srv"))));
        Files.delete(gone);
        assertThatThrownBy(() -> runtime().start(id))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining(gone.toString());
        String running =
                podman.succeed("podman", List.of("ps", "--quiet", "--no-trunc")).stdout();
        assertThat(running).isNotEmpty().doesNotContain(id.value());
        runtime().remove(id);
        assertThat(podman.succeed("podman", all).stdout()).isEqualTo(before);
        assertThat(runtime().exists(spec.name())).isFalse();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(id.value());
    }

    @Test
    void containerThatDiesFailsItsCommands() throws Exception {
        ContainerId id = started();
        StreamingExec exec = runtime().execStreaming(id, StreamingExecSpec.of("sleep", "3909"));
        new Podman(settings, BOUND).succeed("podman", List.of("kill", id.value()));
        CommandException failure =
                catchThrowableOfType(CommandException.class, () -> exec.child().waitFor());
        assertThat(failure.reason()).isEqualTo(Reason.TRANSPORT);
        assertThat(failure).hasMessageContaining("it has died while sleep ran");
        runtime().remove(id);
    }

    @Test
    void containerThatDiedFailsItsNextCommandWithPodmansWord() throws Exception {
        ContainerId id = started();
        new Podman(settings, BOUND).succeed("podman", List.of("kill", id.value()));
        assertThat(catchThrowableOfType(CommandException.class, () -> runtime().exec(id, ExecSpec.of("true")))
                        .reason())
                .isEqualTo(Reason.TRANSPORT);
        runtime().remove(id);
    }
}
