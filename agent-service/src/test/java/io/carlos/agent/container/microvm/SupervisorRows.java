package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerRuntimeContract;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.MountRefusedException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** In what containers that are machines differ from those of other techniques, on purpose. */
abstract class SupervisorRows extends ContainerRuntimeContract {
    @Test
    void outputOverItsLimitIsAFailureAndNotCut() {
        assertThat(refusal(ExecSpec.of("head", "-c", "9000000", "/dev/zero"))).isEqualTo(Reason.LIMIT);
    }

    @Test
    void filesNeedNoLabel() throws Exception {
        assertThat(runtime().mountLabel(shared())).isEmpty();
    }

    /** What the shared container is made of, so that the row needs none of its own. */
    protected final ContainerSpec specWithWhatMeansNothing() {
        return spec().withCommand(List.of("/no/such/program"), Set.of("CAP_SYS_ADMIN"));
    }

    @Test
    void commandAndCapabilitiesOfAContainerMeanNothing() throws Exception {
        assertThat(outputOf("grep CapEff /proc/self/status")).isEqualTo("CapEff:\t0000000000000000\n");
    }

    @Test
    void secondMountIsRefusedByItsName() {
        Mount other = Mount.readWrite(workspace(), "/etc/other");
        Mount first = spec().mounts().getFirst();
        assertThatThrownBy(() -> runtime().create(spec().withMounts(List.of(first, other))))
                .isInstanceOf(MountRefusedException.class)
                .hasMessageContaining("/etc/other");
    }

    @Test
    void readOnlyMountIsRefusedByItsName() {
        Mount readOnly = new Mount(workspace(), BootConfiguration.WORKSPACE, true);
        assertThatThrownBy(() -> runtime().create(spec().withMounts(List.of(readOnly))))
                .isInstanceOf(MountRefusedException.class)
                .hasMessageContaining("read-only mount of " + workspace());
    }

    @Test
    void mountOfWhatIsNoDirectoryIsRefusedByItsName() {
        Mount missing = Mount.readWrite(workspace().resolve("missing"), BootConfiguration.WORKSPACE);
        assertThatThrownBy(() -> runtime().create(spec().withMounts(List.of(missing))))
                .isInstanceOf(MountRefusedException.class)
                .hasMessageContaining("missing");
    }
}
