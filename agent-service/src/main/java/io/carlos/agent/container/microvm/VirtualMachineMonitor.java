package io.carlos.agent.container.microvm;

/** One way to run a virtual machine. */
@FunctionalInterface
public interface VirtualMachineMonitor {
    /** What to start for a machine. Starts nothing. */
    MachinePlan plan(BootConfiguration boot);
}
