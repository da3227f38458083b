package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Cloud Hypervisor, which needs KVM. It has a vsock of its own, with the same words on its socket. All that there is to
 * say to it is on its command line, so that its API is not even opened; a machine ends by switching itself off, or by
 * the end of this program.
 *
 * <p>Its command line follows its manual and is held to that by a test; where that runs there is no KVM, so
 * that no machine was ever booted by it.
 */
public record CloudHypervisorMonitor(Path program, GuestImage image, Helpers helpers) implements VirtualMachineMonitor {
    private static final int GUEST_CID = 3;

    @Override
    public MachinePlan plan(BootConfiguration boot) {
        return new MachinePlan(
                List.of(helpers.workspace(boot), helpers.network(boot, "--vhost-user")),
                new ProgramSpec("cloud-hypervisor", argv(boot), Optional.empty()));
    }

    private List<String> argv(BootConfiguration boot) {
        SessionDirectory directory = boot.directory();
        List<String> argv = new ArrayList<>();
        argv.add(program.toString());
        argv.addAll(List.of("--cpus", "boot=" + boot.size().processors()));
        // The programs beside it read and write the guest's memory.
        argv.addAll(List.of("--memory", "size=" + boot.size().memoryMebibytes() + "M,shared=on"));
        argv.addAll(List.of("--kernel", image.kernel().toString()));
        argv.addAll(List.of("--initramfs", image.initramfs().toString(), "--cmdline", boot.kernelCommandLine()));
        argv.addAll(List.of("--disk", "path=" + image.rootFileSystem() + ",readonly=on"));
        argv.addAll(List.of("--fs", "tag=workspace,socket=" + directory.workspaceSocket()));
        argv.addAll(List.of("--net", "vhost_user=on,socket=" + directory.networkSocket()));
        argv.addAll(List.of("--vsock", "cid=" + GUEST_CID + ",socket=" + directory.vsock()));
        argv.addAll(List.of("--serial", "tty", "--console", "off"));
        return argv;
    }
}
