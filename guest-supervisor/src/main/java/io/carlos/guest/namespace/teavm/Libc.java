package io.carlos.guest.namespace.teavm;

import org.teavm.interop.Address;
import org.teavm.interop.Import;
import org.teavm.interop.c.Include;
import org.teavm.interop.c.Variable;

/**
 * Functions, constants and variables of the C library. Sizes and numbers are those of Linux on 64 bit, in both glibc and
 * musl. Where architectures differ, the C compiler is asked.
 *
 * <p>No two variables may be read in one expression: TeaVM reads each through the same temporary, in an order that C
 * leaves open, and the result was that one flag took the place of two. So each has a method's whole result to itself,
 * and flags that belong together are one name.
 */
final class Libc {
    static final int SIGNAL_SET_BYTES = 128;
    static final int SIGNAL_ACTION_BYTES = 152;

    static final int O_CLOEXEC = 02000000;
    static final int WNOHANG = 1;
    static final int SIG_SETMASK = 2;
    static final int PR_CAPBSET_DROP = 24;
    static final int PR_SET_CHILD_SUBREAPER = 36;
    static final int PR_SET_NO_NEW_PRIVS = 38;
    static final int PR_CAP_AMBIENT = 47;
    static final int PR_CAP_AMBIENT_CLEAR_ALL = 4;
    static final int CAPABILITY_VERSION_3 = 0x20080522;
    static final int CLOSE_RANGE_CLOEXEC = 4;
    static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    static final int SOCK_CLOEXEC_NONBLOCK = 02004000;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int POLLOUT = 4;
    static final int SOL_SOCKET = 1;
    static final int SO_ERROR = 4;

    private Libc() {}

    @Include("errno.h")
    @Import(name = "errno")
    @Variable
    static native int errno();

    @Include("string.h")
    @Import(name = "strerror")
    static native Address strerror(int errno);

    // Files

    @Include("fcntl.h")
    @Import(name = "(O_CLOEXEC|O_NONBLOCK|O_NOFOLLOW)")
    @Variable
    static native int openToRead();

    @Include("fcntl.h")
    @Import(name = "(O_CLOEXEC|O_NONBLOCK)")
    @Variable
    static native int openToReadThroughLinks();

    @Include("fcntl.h")
    @Import(name = "(O_CLOEXEC|O_DIRECTORY|O_NOFOLLOW)")
    @Variable
    static native int openDirectory();

    @Include("fcntl.h")
    @Import(name = "(O_CLOEXEC|O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW)")
    @Variable
    static native int openToCreate();

    @Include("fcntl.h")
    @Import(name = "(O_CLOEXEC|O_WRONLY)")
    @Variable
    static native int openToWrite();

    @Include("stdlib.h")
    @Import(name = "malloc")
    static native Address malloc(long bytes);

    @Include("fcntl.h")
    @Import(name = "openat")
    static native int openat(int directory, Address name, int flags, int mode);

    @Include("unistd.h")
    @Import(name = "close")
    static native int close(int descriptor);

    @Include("unistd.h")
    @Import(name = "chdir")
    static native int chdir(Address path);

    @Include("sys/syscall.h")
    @Import(name = "SYS_close_range")
    @Variable
    static native int numberOfCloseRange();

    @Include("unistd.h")
    @Import(name = "syscall")
    static native long closeRange(int number, int first, int last, int flags);

    @Include("unistd.h")
    @Import(name = "read")
    static native long read(int descriptor, Address buffer, long length);

    @Include("unistd.h")
    @Import(name = "write")
    static native long write(int descriptor, Address buffer, long length);

    @Include("sys/stat.h")
    @Import(name = "fchmod")
    static native int fchmod(int descriptor, int mode);

    @Include("unistd.h")
    @Import(name = "unlinkat")
    static native int unlinkat(int directory, Address name, int flags);

    @Include("stdio.h")
    @Import(name = "renameat")
    static native int renameat(int directory, Address name, int newDirectory, Address newName);

    @Include("unistd.h")
    @Import(name = "symlinkat")
    static native int symlinkat(Address target, int directory, Address name);

    @Include("unistd.h")
    @Import(name = "readlink")
    static native long readlink(Address path, Address buffer, long length);

    @Include("unistd.h")
    @Import(name = "access")
    static native int access(Address path, int mode);

    @Include("sys/syscall.h")
    @Import(name = "SYS_getdents64")
    @Variable
    static native int numberOfGetdents64();

    @Include("unistd.h")
    @Import(name = "syscall")
    static native long getdents64(int number, int descriptor, Address buffer, long length);

    // Processes

    @Include("unistd.h")
    @Import(name = "environ")
    @Variable
    static native Address environ();

    @Include("unistd.h")
    @Import(name = "getpid")
    static native int getpid();

    @Include("unistd.h")
    @Import(name = "getppid")
    static native int getppid();

    @Include("unistd.h")
    @Import(name = "fork")
    static native int fork();

    @Include("unistd.h")
    @Import(name = "execve")
    static native int execve(Address path, Address argv, Address environment);

    @Include("unistd.h")
    @Import(name = "_exit")
    static native void exit(int status);

    @Include("unistd.h")
    @Import(name = "pipe2")
    static native int pipe2(Address ends, int flags);

    @Include("sys/wait.h")
    @Import(name = "waitpid")
    static native int waitpid(int child, Address status, int options);

    @Include("signal.h")
    @Import(name = "kill")
    static native int kill(int process, int signal);

    @Include("unistd.h")
    @Import(name = "setpgid")
    static native int setpgid(int process, int group);

    @Include("sys/prctl.h")
    @Import(name = "prctl")
    static native int prctl(int option, long first, long second, long third, long fourth);

    @Include("sys/syscall.h")
    @Import(name = "SYS_capset")
    @Variable
    static native int numberOfCapset();

    @Include("unistd.h")
    @Import(name = "syscall")
    static native long capset(int number, Address header, Address data);

    @Include("grp.h")
    @Import(name = "setgroups")
    static native int setgroups(long count, Address groups);

    @Include("unistd.h")
    @Import(name = "setresgid")
    static native int setresgid(int real, int effective, int saved);

    @Include("unistd.h")
    @Import(name = "setresuid")
    static native int setresuid(int real, int effective, int saved);

    @Include("signal.h")
    @Import(name = "sigprocmask")
    static native int sigprocmask(int how, Address set, Address before);

    @Include("sys/syscall.h")
    @Import(name = "SYS_rt_sigaction")
    @Variable
    static native int numberOfSigaction();

    @Include("unistd.h")
    @Import(name = "syscall")
    static native long sigaction(int number, int signal, Address action, Address before, long setBytes);

    @Include("signal.h")
    @Import(name = "sigwaitinfo")
    static native int sigwaitinfo(Address set, Address information);

    @Include("sched.h")
    @Import(name = "unshare")
    static native int unshare(int flags);

    @Include("sys/mman.h")
    @Import(name = "mmap")
    static native Address mmap(Address at, long length, int protection, int flags, int descriptor, long offset);

    @Include("sys/mman.h")
    @Import(name = "mprotect")
    static native int mprotect(Address at, long length, int protection);

    @Include("sys/mman.h")
    @Import(name = "munmap")
    static native int munmap(Address at, long length);

    // Sockets

    @Include("sys/socket.h")
    @Import(name = "socket")
    static native int socket(int family, int type, int protocol);

    @Include("sys/socket.h")
    @Import(name = "bind")
    static native int bind(int socket, Address address, int length);

    @Include("sys/socket.h")
    @Import(name = "listen")
    static native int listen(int socket, int backlog);

    @Include("sys/socket.h")
    @Import(name = "connect")
    static native int connect(int socket, Address address, int length);

    @Include("sys/socket.h")
    @Import(name = "sendto")
    static native long sendto(int socket, Address data, long length, int flags, Address address, int addressLength);

    @Include("poll.h")
    @Import(name = "poll")
    static native int poll(Address descriptors, long count, int timeoutMillis);

    @Include("sys/socket.h")
    @Import(name = "getsockopt")
    static native int getsockopt(int socket, int level, int option, Address value, Address length);

    // What the build defines

    @Import(name = "CARLOS_COMMAND_LINE")
    @Variable
    static native Address commandLineProgram();

    @Import(name = "CARLOS_CONTROL")
    @Variable
    static native Address controlProgram();
}
