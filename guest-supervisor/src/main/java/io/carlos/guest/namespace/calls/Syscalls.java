package io.carlos.guest.namespace.calls;

/**
 * The few functions of the C library that the program in the namespace needs, as thin as they can be: what is decided
 * stands in classes above, which tests run on a JVM.
 */
public interface Syscalls extends FileCalls, IdentityCalls, ProcessCalls, SocketCalls {
    /** What the C library calls an error number. */
    String describe(int errno);
}
