package io.carlos.model.records;

import java.util.Locale;

/** What stands between an instance and its neighbours. */
public enum Isolation {
    /** A hardened systemd unit. */
    UNIT,
    /** A virtual machine of its own. */
    MICROVM,
    /** A Podman container. */
    PODMAN,
    /** A plain child process: no isolation, for laptops and tests. */
    PROCESS;

    /** The text in a record. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
