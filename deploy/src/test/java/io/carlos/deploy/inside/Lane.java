package io.carlos.deploy.inside;

import java.util.Locale;
import org.junit.jupiter.api.Assumptions;

/** What kind of box this is. */
enum Lane {
    /** A container: quick, on the kernel of the machine around it, without a memory controller and always under a filter. */
    NSPAWN,
    /** A virtual machine with a kernel of its own. */
    QEMU;

    static final String VARIABLE = "CARLOS_BOX_LANE";

    static Lane current() {
        return valueOf(System.getenv(VARIABLE).toUpperCase(Locale.ROOT));
    }

    /** How often something is done, or how much of it at once: in a virtual machine everything takes some ten times as long. */
    static int times(int inContainer, int emulated) {
        return switch (current()) {
            case NSPAWN -> inContainer;
            case QEMU -> emulated;
        };
    }

    /** Skips the test in a container. */
    static void requireOwnKernel(String why) {
        Assumptions.assumeTrue(current() == QEMU, why);
    }
}
