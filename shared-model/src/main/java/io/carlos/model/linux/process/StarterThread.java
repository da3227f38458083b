package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Has the calling thread start processes that have less privileges than this JVM. To the kernel, ids and capabilities
 * belong to a thread, and a process gets those of the thread that starts it; the C library's own functions change
 * them in all threads at once, so the system calls are made directly.
 *
 * <p>What is given up is given up for good: such a thread is used for starting processes and nothing else. While it has
 * a user's ids as its real ones, processes of that user can neither trace it nor change its limits, because its saved
 * uid stays root's; but they can signal it, and a signal that is sent to one thread can end the whole JVM. So it has
 * them for the start itself only.
 */
public final class StarterThread {
    private static final int CAPABILITY_VERSION_3 = 0x20080522;
    private static final int SIZE_OF_HEADER = 8;

    /** Twice effective, permitted, inheritable. */
    private static final int SIZE_OF_DATA = 24;

    private static final int[] OFFSETS_OF_INHERITABLE = {8, 20};
    private static final int CAPABILITIES = 64;
    private static final int KEEP = -1;

    private StarterThread() {}

    /**
     * From now on, processes that this thread starts never gain privileges by executing a program, and get no
     * capabilities by inheritance; if this process may change its identity, neither supplementary groups nor any
     * capability that they could ever raise.
     */
    public static void renouncePrivileges() throws ProcessCallException {
        String subject = "the thread that starts processes";
        Libc.check("prctl(PR_SET_NO_NEW_PRIVS)", subject, () -> Libc.prctl(Libc.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        Libc.check(
                "prctl(PR_CAP_AMBIENT)",
                subject,
                () -> Libc.prctl(Libc.PR_CAP_AMBIENT, Libc.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
        clearInheritable(subject);
        if (mayChangeIdentity()) {
            Libc.check("setgroups", subject, () -> Libc.setgroups(0, null));
            dropBoundingSet(subject);
        }
    }

    /** Whether this process is root, and its processes can so be anybody else's. */
    public static boolean mayChangeIdentity() {
        return Libc.geteuid() == 0;
    }

    /** The user this process runs as; empty when that is root. */
    public static Optional<UserIdentity> ownIdentity() {
        return mayChangeIdentity() ? Optional.empty() : Optional.of(new UserIdentity(Libc.geteuid(), Libc.getegid()));
    }

    /**
     * Makes the call with the user's ids as the effective ones of this thread: {@link ProgramLookup} finds what that user
     * may execute. Nobody can signal the thread for it.
     *
     * @throws ProcessCallException when these ids cannot be taken on; the call was not made
     */
    public static <T> T lookAs(UserIdentity user, Callable<T> call) throws Exception {
        String subject = "uid " + Integer.toUnsignedString(user.uid());
        Libc.check("setresgid", subject, () -> Libc.setresgid(KEEP, user.gid(), KEEP));
        try {
            Libc.check("setresuid", subject, () -> Libc.setresuid(KEEP, user.uid(), KEEP));
            return call.call();
        } finally {
            Libc.check("setresuid", subject, () -> Libc.setresuid(KEEP, 0, KEEP));
            Libc.check("setresgid", subject, () -> Libc.setresgid(KEEP, 0, KEEP));
        }
    }

    /**
     * Makes the call with the user's ids as the real ones of this thread: processes that it starts by {@link PosixSpawn}
     * run as that user in all respects.
     *
     * @throws ProcessCallException when these ids cannot be taken on; the call was not made
     */
    public static <T> T startAs(UserIdentity user, Callable<T> call) throws Exception {
        String subject = "uid " + Integer.toUnsignedString(user.uid());
        Libc.check("setresgid", subject, () -> Libc.setresgid(user.gid(), KEEP, KEEP));
        try {
            Libc.check("setresuid", subject, () -> Libc.setresuid(user.uid(), KEEP, KEEP));
            return call.call();
        } finally {
            Libc.check("setresuid", subject, () -> Libc.setresuid(0, KEEP, KEEP));
            Libc.check("setresgid", subject, () -> Libc.setresgid(0, KEEP, KEEP));
        }
    }

    private static void clearInheritable(String subject) throws ProcessCallException {
        try (Memory header = new Memory(SIZE_OF_HEADER);
                Memory data = new Memory(SIZE_OF_DATA)) {
            header.setInt(0, CAPABILITY_VERSION_3);
            header.setInt(4, 0);
            Libc.check("capget", subject, () -> Libc.capget(header, data));
            for (int offset : OFFSETS_OF_INHERITABLE) {
                data.setInt(offset, 0);
            }
            Libc.check("capset", subject, () -> Libc.capset(header, data));
        }
    }

    private static void dropBoundingSet(String subject) throws ProcessCallException {
        try {
            for (int i = 0; i < CAPABILITIES; i++) {
                long capability = i;
                Libc.check(
                        "prctl(PR_CAPBSET_DROP)", subject, () -> Libc.prctl(Libc.PR_CAPBSET_DROP, capability, 0, 0, 0));
            }
        } catch (ProcessCallException e) {
            // The kernel knows no more capabilities than those before this one.
            if (e.errno() != ProcessCallException.EINVAL) {
                throw e;
            }
        }
    }
}
