package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The C library's functions for processes, bound directly to native methods. Paths are byte arrays that end in NUL, so
 * that no locale has a say in them; flags and structures are those of glibc 2.34 or newer on 64 bit.
 */
final class Libc {
    static final int O_RDONLY = 0;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int EFD_CLOEXEC = O_CLOEXEC;

    static final int F_OK = 0;
    static final int X_OK = 1;

    static final int AF_UNIX = 1;
    static final int SOCK_STREAM = 1;
    static final int SOCK_CLOEXEC = O_CLOEXEC;

    static final short POLLIN = 1;
    static final short POLLOUT = 4;

    /** On Linux it is the same number as {@code SIOCOUTQ} everywhere but on old architectures. */
    static final long TIOCOUTQ = 0x5411;

    static final int F_SETFL = 4;
    static final int F_SETPIPE_SZ = 1031;

    static final int PRIO_PGRP = 1;
    static final int P_ALL = 0;
    static final int P_PID = 1;
    static final int WNOHANG = 1;
    static final int WEXITED = 4;
    static final int WNOWAIT = 0x01000000;

    static final int PR_CAPBSET_DROP = 24;
    static final int PR_SET_CHILD_SUBREAPER = 36;
    static final int PR_SET_NO_NEW_PRIVS = 38;
    static final int PR_CAP_AMBIENT = 47;
    static final long PR_CAP_AMBIENT_CLEAR_ALL = 4;

    static final short POSIX_SPAWN_RESETIDS = 0x01;
    static final short POSIX_SPAWN_SETSIGDEF = 0x04;
    static final short POSIX_SPAWN_SETSIGMASK = 0x08;
    static final short POSIX_SPAWN_SETSID = 0x80;

    /** System calls since 2019 have one number on every architecture. */
    private static final long SYS_PIDFD_SEND_SIGNAL = 424;

    private static final long SYS_PIDFD_OPEN = 434;

    private static final long SYS_FACCESSAT2 = 439;
    private static final int AT_FDCWD = -100;
    private static final int AT_EACCESS = 0x200;

    static {
        Native.register(Libc.class, NativeLibrary.getProcess());
    }

    private Libc() {}

    static native int open(byte[] path, int flags);

    static native long read(int descriptor, byte[] buffer, long length);

    static native long read(int descriptor, Pointer buffer, long length);

    static native long write(int descriptor, byte[] buffer, long length);

    static native int close(int descriptor);

    static native int pipe2(int[] descriptors, int flags);

    static native int socketpair(int family, int type, int protocol, int[] ends);

    static native int eventfd(int initial, int flags);

    /** The C function takes any arguments; see {@link #syscall}. */
    static native int fcntl(int descriptor, int command, int argument);

    /** The C function takes any arguments; see {@link #syscall}. */
    static native int ioctl(int descriptor, long request, int[] answer);

    static native int geteuid();

    static native int getegid();

    static native int fchown(int descriptor, int uid, int gid);

    static native int poll(Pointer descriptors, long count, int timeoutMillis);

    static native int kill(int pid, int signal);

    static native int setpriority(int which, int id, int nice);

    static native int waitid(int idType, int id, Pointer siginfo, int options);

    /** Acts on the calling thread, as the kernel does. */
    static native int prctl(int option, long first, long second, long third, long fourth);

    static native int capget(Pointer header, Pointer data);

    /** Acts on the calling thread, as the kernel does. */
    static native int capset(Pointer header, Pointer data);

    static native @Nullable Pointer signal(int signal, @Nullable Pointer handler);

    static native String strerror(int errno);

    // The posix_spawn family returns the error number and leaves errno alone.

    static native int posix_spawn(
            int[] pid, byte[] path, Pointer fileActions, Pointer attributes, Pointer argv, Pointer environment);

    static native int posix_spawnattr_init(Pointer attributes);

    static native int posix_spawnattr_destroy(Pointer attributes);

    static native int posix_spawnattr_setflags(Pointer attributes, short flags);

    static native int posix_spawnattr_setsigdefault(Pointer attributes, Pointer signals);

    static native int posix_spawnattr_setsigmask(Pointer attributes, Pointer signals);

    static native int posix_spawn_file_actions_init(Pointer actions);

    static native int posix_spawn_file_actions_destroy(Pointer actions);

    static native int posix_spawn_file_actions_addopen(
            Pointer actions, int descriptor, byte[] path, int flags, int mode);

    static native int posix_spawn_file_actions_adddup2(Pointer actions, int from, int to);

    static native int posix_spawn_file_actions_addchdir_np(Pointer actions, byte[] path);

    static native int posix_spawn_file_actions_addclosefrom_np(Pointer actions, int first);

    /** The C function takes any arguments; on both architectures they are passed as those of a fixed list are. */
    private static native long syscall(long number, long first, long second, long third, long fourth);

    /** glibc has a function of this name only since 2.36. */
    static int pidfd_open(int pid) {
        return (int) syscall(SYS_PIDFD_OPEN, pid, 0, 0, 0);
    }

    /** Asks with the effective ids; of glibc's function, an old version looks at the permissions itself. */
    static int eaccess(byte[] path, int mode) {
        try (Memory terminated = new Memory(path.length)) {
            terminated.write(0, path, 0, path.length);
            return (int) syscall(SYS_FACCESSAT2, AT_FDCWD, Pointer.nativeValue(terminated), mode, AT_EACCESS);
        }
    }

    static int pidfd_send_signal(int pidfd, int signal) {
        return (int) syscall(SYS_PIDFD_SEND_SIGNAL, pidfd, signal, 0, 0);
    }

    /** Unlike the C library's function of this name, acts on the calling thread alone. */
    static int setgroups(int count, @Nullable Pointer groups) {
        return (int) syscall(CredentialCalls.HERE.setgroups(), count, Pointer.nativeValue(groups), 0, 0);
    }

    /** Unlike the C library's function of this name, acts on the calling thread alone; -1 leaves an id as it is. */
    static int setresuid(int real, int effective, int saved) {
        return (int) syscall(CredentialCalls.HERE.setresuid(), real, effective, saved, 0);
    }

    /** Unlike the C library's function of this name, acts on the calling thread alone; -1 leaves an id as it is. */
    static int setresgid(int real, int effective, int saved) {
        return (int) syscall(CredentialCalls.HERE.setresgid(), real, effective, saved, 0);
    }

    /** The error of this thread's last call; JNA keeps it until the next one. */
    static int lastErrno() {
        return Native.getLastError();
    }

    /**
     * Makes a call, again when a signal interrupted it.
     *
     * @param subject what the error names
     * @return the call's result, 0 or more
     */
    static long check(String call, String subject, LongSupplier attempt) throws ProcessCallException {
        while (true) {
            long result = attempt.getAsLong();
            if (result >= 0) {
                return result;
            }
            int errno = lastErrno();
            if (errno != ProcessCallException.EINTR) {
                throw new ProcessCallException(call, subject, errno);
            }
        }
    }

    /** @throws IllegalArgumentException when the text has a NUL, at which C would cut it */
    static byte[] terminated(String text) {
        requireNoNul("a path", text);
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }

    /** @param what names the text in the error, which does not show it */
    static void requireNoNul(String what, String text) {
        int position = text.indexOf('\0');
        if (position >= 0) {
            throw new IllegalArgumentException(
                    what + " has a NUL at position " + position + "; the kernel takes none: remove it");
        }
    }
}
