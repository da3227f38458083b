package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.SliceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits of memory as the kernel has them, and not only as systemd shows them. */
@InsideBox
class MemoryInBox {
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final String WAITING = "touch \"$DATA/ready\"; exec sleep 1000\n";

    /** Bytes in its run directory, until something stops it. */
    private static final String FILES = "exec dd if=/dev/zero of=\"$RUN/file\" bs=1M\n";

    /** Names in its run directory, which cost the kernel's memory and no byte of a file. */
    private static final String NAMES = """
            exec perl -e 'open(my $file, ">", "$ENV{RUN}/0") or die $!;
                for (my $i = 1;; $i++) { link("$ENV{RUN}/0", "$ENV{RUN}/$i") or die $!; }'
            """;

    private static final long MIB = 1024 * 1024;

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
        limit(hog, 64 * MIB, "infinity");

        hog.start(Role.RUN);

        Await.until(
                "the end of the hog", () -> hog.show(Role.RUN, "ActiveState").equals("failed"));
        assertThat(hog.show(Role.RUN, "Result")).isEqualTo("oom-kill");
        assertThat(hog.isPopulated(Role.RUN)).isFalse();
        assertThat(neighbour.isPopulated(Role.RUN)).isTrue();
        assertThat(neighbour.invocation(Role.RUN)).isEqualTo(invocation);
        hog.forget(Role.RUN);
        neighbour.stop(Role.RUN);
        neighbour.forget(Role.RUN);
    }

    static List<Arguments> fillers() {
        return List.of(
                argumentSet("files up to the largest tier", FILES, MemoryTier.GIB_1.maxBytes()),
                argumentSet("names", NAMES, 64 * MIB));
    }

    /** What it left is still there when the neighbour starts, and is in nobody's way. */
    @ParameterizedTest
    @MethodSource("fillers")
    void whoFillsItsRunDirectoryIsStoppedByItsOwnLimitAndItsNeighbourStarts(String script, long maxBytes)
            throws IOException {
        Tenant filler = new Tenant("filler.example.com").with(Role.RUN, script);
        Tenant neighbour = new Tenant("neighbour.example.com").with(Role.RUN, WAITING);
        limit(filler, maxBytes, "infinity");

        filler.start(Role.RUN);

        Await.until(
                "the end of the filler",
                () -> filler.show(Role.RUN, "ActiveState").equals("failed"));
        assertThat(filler.show(Role.RUN, "Result")).isEqualTo("oom-kill");
        assertThat(Long.parseLong(read(filler.unit(Role.RUN).slice(), "memory.current")))
                .isGreaterThan(maxBytes / 2);
        neighbour.deleteFile("ready");
        neighbour.start(Role.RUN);
        neighbour.awaitFile("ready");
        assertThat(neighbour.status(Role.RUN, neighbour.invocation(Role.RUN))).isPresent();
        neighbour.stop(Role.RUN);
        neighbour.forget(Role.RUN);
        filler.forget(Role.RUN);
        Command.of("find", filler.run().toString(), "-mindepth", "1", "-delete").output();
    }

    /** So that whatever tenants have, also what they left in files, the box has the rest. */
    @Test
    void allTenantsTogetherHaveThreeQuartersOfTheBox() throws IOException {
        long box = Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .sum();

        assertThat(Long.parseLong(Files.readString(CGROUPS.resolve("carlos.slice/carlos-instances.slice/memory.max"))
                        .strip()))
                .isCloseTo(box * 3 / 4, within(MIB));
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
}
