package io.carlos.guest.namespace.calls;

/**
 * Calls on what this process may do; there is no way back from any. A result below zero is an {@linkplain Errno error
 * number}, negated.
 */
public interface IdentityCalls {
    /** No program that is executed from now on gains a privilege by it. */
    int neverGainPrivileges();

    int dropAmbientCapabilities();

    /** @return {@code -EINVAL} for a number that the kernel has no capability of */
    int dropBoundingCapability(int capability);

    /** Empties the effective, the permitted and the inheritable set. */
    int dropCapabilities();

    /** Leaves every supplementary group. */
    int leaveGroups();

    /** Makes it the real, the effective and the saved group. */
    int setGroup(int gid);

    /** Makes it the real, the effective and the saved user. */
    int setUser(int uid);
}
