package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of memory as the kernel has them, and not only as systemd shows them. */
@InsideBox
class MemoryInBox {
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final String WAITING = "touch \"$DATA/ready\"; exec sleep 1000\n";

    /** Reads a line that never ends, and keeps it. */
    private static final String HOG = "tail /dev/zero\n";

    @BeforeAll
    static void requireMemoryController() {
        Lane.requireOwnKernel("a container has no memory controller");
    }

    @ParameterizedTest
    @EnumSource
    void theTierIsInForceForTheSliceOfTheHost(MemoryTier tier) throws IOException {
        Tenant tenant = new Tenant("tier.example.com").with(Role.RUN, WAITING);
        limit(tenant, tier.maxBytes(), Long.toString(tier.highBytes()));

        tenant.start(Role.RUN);

        SliceName slice = tenant.unit(Role.RUN).slice();
        assertThat(read(slice, "memory.max")).isEqualTo(wholePages(tier.maxBytes()));
        assertThat(read(slice, "memory.high")).isEqualTo(wholePages(tier.highBytes()));
        assertThat(read(slice, "memory.swap.max")).isEqualTo(wholePages(tier.maxBytes()));
        tenant.stop(Role.RUN);
        tenant.forget(Role.RUN);
    }

    @Test
    void theSliceIsTheOneThatTheUnitRunsIn() {
        Tenant tenant = new Tenant("tier-2.example.com").with(Role.RUN, WAITING);
        tenant.start(Role.RUN);
        tenant.awaitFile("ready");

        assertThat(tenant.isPopulated(Role.RUN)).isTrue();
        tenant.stop(Role.RUN);
        tenant.forget(Role.RUN);
    }

    @Test
    void aHogIsKilledAndItsNeighbourIsNot() {
        Tenant neighbour = new Tenant("neighbour.example.com").with(Role.RUN, WAITING);
        neighbour.start(Role.RUN);
        neighbour.awaitFile("ready");
        InvocationId invocation = neighbour.invocation(Role.RUN);
        Tenant hog = new Tenant("hog.example.com").with(Role.RUN, HOG);
        // Less than a tier, so that it is soon there, and no slowing down before.
        limit(hog, 64 * 1024 * 1024, "infinity");

        hog.start(Role.RUN);

        Await.until(
                "the end of the hog",
                () -> show(hog.unit(Role.RUN), "ActiveState").equals("failed"));
        assertThat(show(hog.unit(Role.RUN), "Result")).isEqualTo("oom-kill");
        assertThat(hog.isPopulated(Role.RUN)).isFalse();
        assertThat(neighbour.isPopulated(Role.RUN)).isTrue();
        assertThat(neighbour.invocation(Role.RUN)).isEqualTo(invocation);
        hog.forget(Role.RUN);
        neighbour.stop(Role.RUN);
        neighbour.forget(Role.RUN);
    }

    @Test
    void theAgentsMemoryIsPromisedToItAndToItsSlice() throws IOException {
        Path slice = CGROUPS.resolve("carlos.slice");

        assertThat(slice.resolve("memory.min")).hasContent("268435456");
        assertThat(slice.resolve("carlos-edge.service").resolve("memory.min")).hasContent("268435456");
    }

    private static void limit(Tenant tenant, long maxBytes, String high) {
        Command.systemctl(
                        "set-property",
                        "--runtime",
                        tenant.unit(Role.RUN).slice().value(),
                        "MemoryMax=" + maxBytes,
                        "MemoryHigh=" + high,
                        "MemorySwapMax=" + maxBytes)
                .output();
    }

    /** The kernel counts in pages. */
    private static String wholePages(long bytes) {
        return Long.toString(bytes / 4096 * 4096);
    }

    private static String read(SliceName slice, String file) throws IOException {
        return Files.readString(CGROUPS.resolve(slice.cgroupPath()).resolve(file))
                .strip();
    }

    private static String show(UnitName unit, String property) {
        return Command.systemctl("show", "--property=" + property, "--value", unit.value())
                .output();
    }
}
