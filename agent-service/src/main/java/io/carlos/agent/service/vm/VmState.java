package io.carlos.agent.service.vm;

import java.util.Locale;

/** Where a machine is. */
enum VmState {
    CREATED,
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    /** Its start failed, or it has ended by itself. */
    FAILED;

    /** As it is told to operators. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
