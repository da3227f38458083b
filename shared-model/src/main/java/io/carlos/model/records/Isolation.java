package io.carlos.model.records;

/** What stands between an instance and its neighbours. */
public enum Isolation {
    /** A hardened systemd unit. */
    UNIT,
    /** A virtual machine of its own. */
    MICROVM,
    /** A Podman container. */
    PODMAN,
    /** A plain child process: no isolation, for laptops and tests. */
    PROCESS
}
