package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What holds for all machines of a runtime.
 *
 * @param runRoot absolute and short; sessions are in {@code microvm} beneath it
 * @param helperBound from a helper's start until it listens
 * @param bootBudget from the monitor's start until the guest is ready
 */
public record MicroVmSettings(Path runRoot, MachineSize size, Duration helperBound, Duration bootBudget) {
    private static final Duration HELPER_BOUND = Duration.ofSeconds(10);

    /** For processors that do the work themselves; an emulated guest takes ten times as long. */
    private static final Duration BOOT_BUDGET = Duration.ofSeconds(30);

    public MicroVmSettings {
        if (!runRoot.isAbsolute()) {
            throw new IllegalArgumentException("the run root " + runRoot + ": expected an absolute path");
        }
    }

    public static MicroVmSettings beneath(Path runRoot) {
        return new MicroVmSettings(runRoot, MachineSize.SMALL, HELPER_BOUND, BOOT_BUDGET);
    }

    public MicroVmSettings withSize(MachineSize other) {
        return new MicroVmSettings(runRoot, other, helperBound, bootBudget);
    }

    public MicroVmSettings withBootBudget(Duration other) {
        return new MicroVmSettings(runRoot, size, helperBound, other);
    }

    Path sessions() {
        return runRoot.resolve("microvm");
    }
}
