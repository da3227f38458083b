package io.carlos.guest.namespace.teavm;

import io.carlos.guest.namespace.calls.IdentityCalls;
import org.teavm.interop.Address;

/** The C library in the compiled program, for what the process may do. It has one thread, so no other keeps anything. */
abstract class NativeIdentityCalls implements IdentityCalls {
    private static final int HEADER_BYTES = 8;

    /** Twice effective, permitted, inheritable. */
    private static final int DATA_BYTES = 24;

    @Override
    public int neverGainPrivileges() {
        return result(Libc.prctl(Libc.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    }

    @Override
    public int dropAmbientCapabilities() {
        return result(Libc.prctl(Libc.PR_CAP_AMBIENT, Libc.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
    }

    @Override
    public int dropBoundingCapability(int capability) {
        return result(Libc.prctl(Libc.PR_CAPBSET_DROP, capability, 0, 0, 0));
    }

    @Override
    public int dropCapabilities() {
        Address header = NativeMemory.zeroed(HEADER_BYTES);
        header.putInt(Libc.CAPABILITY_VERSION_3);
        Address none = NativeMemory.zeroed(DATA_BYTES);
        return result(Libc.capset(Libc.numberOfCapset(), header, none));
    }

    @Override
    public int leaveGroups() {
        return result(Libc.setgroups(0, Address.fromLong(0)));
    }

    @Override
    public int setGroup(int gid) {
        return result(Libc.setresgid(gid, gid, gid));
    }

    @Override
    public int setUser(int uid) {
        return result(Libc.setresuid(uid, uid, uid));
    }

    static int result(long result) {
        return result < 0 ? -Libc.errno() : (int) result;
    }
}
