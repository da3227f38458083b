package io.carlos.agent.container.microvm;

/** How much of this machine a virtual one may use. */
public record MachineSize(int processors, int memoryMebibytes) {
    public static final MachineSize SMALL = new MachineSize(2, 1024);

    public MachineSize {
        if (processors < 1 || memoryMebibytes < 256) {
            throw new IllegalArgumentException("a machine of " + processors + " processors and " + memoryMebibytes
                    + " MiB: expected at least one processor and 256 MiB");
        }
    }
}
