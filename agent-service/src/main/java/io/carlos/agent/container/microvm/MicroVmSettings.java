package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What holds for all machines of a runtime.
 *
 * @param runRoot absolute and short; sessions are in {@code microvm} beneath it
 * @param helperBound from a helper's start until it listens
 * @param bootBudget from the monitor's start until the guest is ready
 * @param machines how many may be on at a time; who comes later waits
 */
public record MicroVmSettings(Path runRoot, MachineSize size, Duration helperBound, Duration bootBudget, int machines) {
    static final String SESSIONS = "microvm";

    private static final Duration HELPER_BOUND = Duration.ofSeconds(10);

    private static final int MACHINES = 64;

    /** For processors that do the work themselves; an emulated guest takes ten times as long. */
    private static final Duration BOOT_BUDGET = Duration.ofSeconds(30);

    public MicroVmSettings {
        if (!runRoot.isAbsolute()) {
            throw new IllegalArgumentException("the run root " + runRoot + ": expected an absolute path");
        }
        if (machines < 1) {
            throw new IllegalArgumentException(machines + " machines at a time: expected one or more");
        }
    }

    public static MicroVmSettings beneath(Path runRoot) {
        return new MicroVmSettings(runRoot, MachineSize.SMALL, HELPER_BOUND, BOOT_BUDGET, MACHINES);
    }

    public MicroVmSettings withSize(MachineSize other) {
        return new MicroVmSettings(runRoot, other, helperBound, bootBudget, machines);
    }

    public MicroVmSettings withBootBudget(Duration other) {
        return new MicroVmSettings(runRoot, size, helperBound, other, machines);
    }

    public MicroVmSettings withMachines(int other) {
        return new MicroVmSettings(runRoot, size, helperBound, bootBudget, other);
    }

    Path sessions() {
        return runRoot.resolve(SESSIONS);
    }
}
