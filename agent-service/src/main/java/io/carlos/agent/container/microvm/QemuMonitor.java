package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * QEMU, with hardware support or without any. Its vsock is always a program beside it: the kernel's own would give every
 * machine a number that is unique on this one, while all of ours are {@code 3} and told apart by their sockets.
 *
 * @param program {@code qemu-system-x86_64}, of version 7.2 or newer
 */
public record QemuMonitor(Path program, Accelerator accelerator, GuestImage image, Helpers helpers)
        implements VirtualMachineMonitor {
    /** What executes the guest's instructions. */
    public enum Accelerator {
        /** The processor. */
        KVM(List.of("-accel", "kvm", "-cpu", "host")),
        /** QEMU itself: some ten times slower, and needs nothing. */
        TCG(List.of("-accel", "tcg,thread=multi", "-cpu", "max"));

        private final List<String> options;

        Accelerator(List<String> options) {
            this.options = options;
        }
    }

    @Override
    public MachinePlan plan(BootConfiguration boot) {
        return new MachinePlan(
                List.of(helpers.workspace(boot), helpers.network(boot), helpers.vsockDevice(boot)),
                new ProgramSpec("qemu", argv(boot), Optional.empty()));
    }

    private List<String> argv(BootConfiguration boot) {
        SessionDirectory directory = boot.directory();
        int memory = boot.size().memoryMebibytes();
        List<String> argv = new ArrayList<>();
        argv.add(program.toString());
        argv.addAll(List.of("-machine", "q35,memory-backend=memory"));
        argv.addAll(accelerator.options);
        argv.addAll(List.of("-smp", Integer.toString(boot.size().processors()), "-m", Integer.toString(memory)));
        // A guest that has taken it over starts no program from it. This box's kernel is asked for less, too.
        argv.addAll(List.of("-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"));
        // The programs beside it read and write the guest's memory.
        argv.addAll(List.of("-object", "memory-backend-memfd,id=memory,size=" + memory + "M,share=on"));
        argv.addAll(List.of("-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none"));
        argv.addAll(List.of("-serial", "stdio", "-no-reboot"));
        argv.addAll(List.of("-kernel", image.kernel().toString()));
        argv.addAll(List.of("-initrd", image.initramfs().toString(), "-append", boot.kernelCommandLine()));
        argv.addAll(List.of(
                "-drive",
                "file=" + escaped(image.rootFileSystem()) + ",if=none,id=root,format=raw,readonly=on",
                "-device",
                "virtio-blk-pci,drive=root"));
        argv.addAll(List.of(
                "-chardev",
                "socket,id=fs,path=" + escaped(directory.workspaceSocket()),
                "-device",
                "vhost-user-fs-pci,chardev=fs,tag=workspace"));
        argv.addAll(List.of(
                "-chardev",
                "socket,id=vsock,path=" + escaped(directory.vsockDeviceSocket()),
                "-device",
                "vhost-user-vsock-pci,chardev=vsock"));
        argv.addAll(List.of(
                "-netdev",
                "stream,id=net,server=off,addr.type=unix,addr.path=" + escaped(directory.networkSocket()),
                "-device",
                "virtio-net-pci,netdev=net,romfile="));
        return argv;
    }

    /** A comma begins the next part of an option. */
    private static String escaped(Path path) {
        return path.toString().replace(",", ",,");
    }
}
