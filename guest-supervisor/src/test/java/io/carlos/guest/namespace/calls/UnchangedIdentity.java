package io.carlos.guest.namespace.calls;

/** The JVM that runs the tests stays what it is. */
abstract class UnchangedIdentity implements IdentityCalls {
    private static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("the JVM could not go on with its tests");
    }

    @Override
    public int neverGainPrivileges() {
        throw refusal();
    }

    @Override
    public int dropAmbientCapabilities() {
        throw refusal();
    }

    @Override
    public int dropBoundingCapability(int capability) {
        throw refusal();
    }

    @Override
    public int dropCapabilities() {
        throw refusal();
    }

    @Override
    public int leaveGroups() {
        throw refusal();
    }

    @Override
    public int setGroup(int gid) {
        throw refusal();
    }

    @Override
    public int setUser(int uid) {
        throw refusal();
    }
}
