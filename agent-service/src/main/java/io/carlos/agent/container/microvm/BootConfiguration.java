package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.util.HexFormat;

/**
 * What is particular to the boot of one machine.
 *
 * @param workspace this machine's directory that the guest has as {@link #WORKSPACE}
 * @param nonce 16 random bytes, by which the guest proves that it is this boot's
 * @param lateData whether the workspace is to be given a directory while the machine is on
 */
public record BootConfiguration(
        SessionDirectory directory, Path workspace, byte[] nonce, MachineSize size, boolean lateData) {
    public static final String WORKSPACE = "/workspace";
    public static final int PORT = 1024;

    /** The guest's user who owns there what the agent's user owns on this machine. */
    public static final int USER = 1000;

    static final int NONCE_BYTES = 16;

    /** What the guest's kernel is told, and with it the supervisor. */
    public String kernelCommandLine() {
        // One processor finds the devices; the guest starts the others itself. When they are all up while addresses of
        // devices change, QEMU's emulation may hand an access of one to the device of another, and fail over it.
        return "console=ttyS0 quiet panic=-1 maxcpus=1 compass.vsock_port=" + PORT + " compass.boot_nonce="
                + HexFormat.of().formatHex(nonce);
    }
}
