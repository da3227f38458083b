package io.carlos.agent.service;

import com.sun.management.OperatingSystemMXBean;
import io.carlos.agent.container.microvm.CloudHypervisorMonitor;
import io.carlos.agent.container.microvm.GuestImage;
import io.carlos.agent.container.microvm.GuestNetwork;
import io.carlos.agent.container.microvm.Helpers;
import io.carlos.agent.container.microvm.MachineSize;
import io.carlos.agent.container.microvm.MicroVmSettings;
import io.carlos.agent.container.microvm.QemuMonitor;
import io.carlos.agent.container.microvm.QemuMonitor.Accelerator;
import io.carlos.agent.container.microvm.VirtualMachineMonitor;
import io.carlos.agent.service.health.NeedsHealth.Need;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What an operator sets for virtual machines, below {@code carlos.agent.microvm}.
 *
 * @param image the directory of the guest's kernel and file systems, as {@code deploy/guest/build} makes it
 * @param tools the directory of the programs beside a machine, as {@code deploy/guest/build-tools} makes it
 * @param runRoot where the sessions' sockets are, a short path; the directory of the agent's own socket when null
 * @param vmm the program that is the machine
 * @param accelerator what executes a guest's instructions; an emulation is no boundary to a hostile guest
 * @param processors of each machine
 * @param memory of each machine
 * @param bootBudget how long a machine may take until it is ready; by the accelerator when null
 * @param maxMachines how many may be on at a time; as many as three quarters of the box's memory hold, when null
 * @param metadataAddresses where a cloud serves the box's credentials; guests are kept from there
 * @param warm the machines that are kept booted
 */
@ConfigurationProperties(MicroVmProperties.PREFIX)
public record MicroVmProperties(
        @DefaultValue("/var/lib/carlos/guest/image") Path image,
        @DefaultValue("/var/lib/carlos/guest/tools/bin") Path tools,
        @Nullable Path runRoot,
        @DefaultValue("qemu") Vmm vmm,
        @DefaultValue("kvm") Accelerator accelerator,
        @DefaultValue("2") int processors,
        @DefaultValue("1GB") DataSize memory,
        @Nullable Duration bootBudget,
        @Nullable Integer maxMachines,

        @DefaultValue({"169.254.169.254:80", "fd00:ec2::254:80"})
        List<String> metadataAddresses,

        @DefaultValue Warm warm) {
    static final String PREFIX = AgentProperties.PREFIX + ".microvm";

    private static final Path KVM = Path.of("/dev/kvm");
    private static final DataSize LEAST_MEMORY = DataSize.ofMegabytes(256);
    /** A path of a unix socket has up to 107 bytes, and those of a session 31 more than the run root. */
    private static final int LONGEST_RUN_ROOT = 76;

    private static final Duration BUDGET = Duration.ofSeconds(30);

    /** An emulated guest takes ten times as long, and longer on a busy box. */
    private static final Duration EMULATED_BUDGET = Duration.ofMinutes(5);

    /** The program that is the machine. */
    public enum Vmm {
        QEMU("qemu-system-x86_64"),
        CLOUD_HYPERVISOR("cloud-hypervisor");

        private final String program;

        Vmm(String program) {
            this.program = program;
        }
    }

    /**
     * Machines that are kept booted for runs to come.
     *
     * @param size how many
     * @param ageLimit after which one is replaced
     */
    public record Warm(
            @DefaultValue("0") int size,
            @DefaultValue("10m") Duration ageLimit) {
        public Warm {
            if (size < 0) {
                throw wrong("warm.size", size, "set it to 0 or more");
            }
            if (!ageLimit.isPositive()) {
                throw wrong("warm.age-limit", ageLimit, "set a time above zero");
            }
        }
    }

    public MicroVmProperties {
        if (processors < 1) {
            throw wrong("processors", processors, "set it to 1 or more");
        }
        if (memory.compareTo(LEAST_MEMORY) < 0) {
            throw wrong("memory", memory, "set it to 256MB or more");
        }
        if (bootBudget != null && !bootBudget.isPositive()) {
            throw wrong("boot-budget", bootBudget, "set a time above zero");
        }
        if (maxMachines != null && maxMachines < 1) {
            throw wrong("max-machines", maxMachines, "set it to 1 or more");
        }
        metadataAddresses = List.copyOf(metadataAddresses);
        metadataAddresses.forEach(ListenAddress::of);
        if (runRoot != null && (!runRoot.isAbsolute() || isTooLong(runRoot))) {
            throw wrong("run-root", runRoot, "set an absolute path of up to " + LONGEST_RUN_ROOT + " bytes");
        }
        if (vmm == Vmm.CLOUD_HYPERVISOR && accelerator == Accelerator.TCG) {
            throw wrong("accelerator", "tcg", "cloud-hypervisor needs kvm; set " + PREFIX + ".vmm to qemu");
        }
        image = image.toAbsolutePath().normalize();
        tools = tools.toAbsolutePath().normalize();
    }

    private static IllegalArgumentException wrong(String name, Object value, String remedy) {
        return new IllegalArgumentException(PREFIX + "." + name + " is " + value + ": " + remedy);
    }

    private static boolean isTooLong(Path root) {
        return root.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_RUN_ROOT;
    }

    /** @param agentDirectory the directory of the agent's own socket */
    MicroVmSettings settings(Path agentDirectory) {
        if (runRoot == null && isTooLong(agentDirectory)) {
            throw new IllegalArgumentException(agentDirectory + " is too long for the sockets of virtual machines: set "
                    + PREFIX + ".run-root to a path of up to " + LONGEST_RUN_ROOT + " bytes");
        }
        int machines = maxMachines == null ? machinesIn(boxMemory()) : maxMachines;
        if (warm.size() >= machines) {
            throw wrong(
                    "warm.size",
                    warm.size(),
                    "set it below the " + machines + " machines that the box has room for, or"
                            + " no run ever has one");
        }
        Duration budget = accelerator == Accelerator.KVM ? BUDGET : EMULATED_BUDGET;
        return MicroVmSettings.beneath(sessionsBeneath(agentDirectory))
                .withSize(new MachineSize(processors, Math.toIntExact(memory.toMegabytes())))
                .withBootBudget(bootBudget == null ? budget : bootBudget)
                .withMachines(machines);
    }

    /** What is left of the box's memory is the agent's, its root's and the kernel's. */
    int machinesIn(DataSize boxMemory) {
        return Math.toIntExact(Math.max(1, boxMemory.toBytes() / 4 * 3 / memory.toBytes()));
    }

    /** The run root; its sessions are there also when machines are given no more. */
    Path sessionsBeneath(Path agentDirectory) {
        return runRoot == null ? agentDirectory : runRoot;
    }

    /** Keeps what the box may ask for itself from being asked for by a guest. How, is found out by trying. */
    GuestNetwork network() throws InterruptedException {
        return GuestNetwork.of(
                helpers(),
                metadataAddresses.stream()
                        .map(address -> ListenAddress.of(address).socketAddress())
                        .toList(),
                PREFIX + ".metadata-addresses");
    }

    private Helpers helpers() {
        return Helpers.in(tools, Helpers.Owner.self());
    }

    /** What an operator should know of each start. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (accelerator == Accelerator.TCG) {
            warnings.add(PREFIX + ".accelerator is tcg: an emulated machine is no boundary to a hostile guest");
        }
        if (metadataAddresses.isEmpty()) {
            warnings.add(PREFIX + ".metadata-addresses is empty: nothing keeps a guest from a metadata service"
                    + " that gives this box's credentials");
        }
        return warnings;
    }

    VirtualMachineMonitor monitor(Helpers helpers) {
        return switch (vmm) {
            case QEMU -> new QemuMonitor(program(), accelerator, guestImage(), helpers);
            case CLOUD_HYPERVISOR -> new CloudHypervisorMonitor(program(), guestImage(), helpers);
        };
    }

    /** What must be there for any machine to boot. */
    List<Need> needs() {
        GuestImage files = guestImage();
        Helpers helpers = helpers();
        List<Need> needs = new ArrayList<>();
        Stream.of(files.kernel(), files.initramfs(), files.rootFileSystem())
                .map(file -> Need.toRead(file, PREFIX + ".image"))
                .forEach(needs::add);
        Stream.of(program(), helpers.virtiofsd(), helpers.passt())
                .map(file -> Need.toExecute(file, PREFIX + ".tools"))
                .forEach(needs::add);
        switch (vmm) {
            case QEMU -> needs.add(Need.toExecute(helpers.vhostDeviceVsock(), PREFIX + ".tools"));
            case CLOUD_HYPERVISOR -> {}
        }
        if (accelerator == Accelerator.KVM) {
            needs.add(Need.toWrite(KVM, PREFIX + ".accelerator"));
        }
        return needs;
    }

    private static DataSize boxMemory() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return DataSize.ofBytes(system.getTotalMemorySize());
    }

    private GuestImage guestImage() {
        return GuestImage.in(image);
    }

    private Path program() {
        return tools.resolve(vmm.program);
    }
}
