package io.carlos.guest.namespace.calls;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.carlos.model.start.ArgumentBlock;
import io.carlos.model.text.CString;
import java.nio.charset.StandardCharsets;

/**
 * The C library of the JVM that runs the tests. What a JVM cannot do and go on, such as to fork or to block all signals,
 * is an error; tests that need it say what it does.
 */
public class JnaSyscalls extends UnchangedIdentity implements Syscalls {
    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
    private static final int O_WRONLY = 1;
    private static final int O_CREAT = 0100;
    private static final int O_EXCL = 0200;
    private static final int O_NONBLOCK = 04000;
    private static final int O_DIRECTORY = ARM ? 040000 : 0200000;
    private static final int O_NOFOLLOW = ARM ? 0100000 : 0400000;
    private static final int O_CLOEXEC = 02000000;
    private static final int SOCK_CLOEXEC_NONBLOCK = 02004000;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long PAGE_BYTES = 65536;

    private final byte[][] environment;

    public JnaSyscalls(String... environment) {
        this.environment = new byte[environment.length][];
        for (int i = 0; i < environment.length; i++) {
            this.environment[i] = CString.bytes(environment[i]);
        }
    }

    private static final class Libc {
        static {
            Native.register(Libc.class, NativeLibrary.getProcess());
        }

        static native String strerror(int errno);

        static native int openat(int directory, byte[] name, int flags, int mode);

        static native int close(int descriptor);

        static native long read(int descriptor, Pointer buffer, long length);

        static native long write(int descriptor, Pointer buffer, long length);

        static native int fchmod(int descriptor, int mode);

        static native int unlinkat(int directory, byte[] name, int flags);

        static native int renameat(int directory, byte[] name, int newDirectory, byte[] newName);

        static native int symlinkat(byte[] target, int directory, byte[] name);

        static native long readlink(byte[] path, byte[] buffer, long length);

        static native int access(byte[] path, int mode);

        static native long getdents64(int directory, byte[] buffer, long length);

        static native int getpid();

        static native int getppid();

        static native int socket(int family, int type, int protocol);

        static native int bind(int socket, byte[] address, int length);

        static native int listen(int socket, int backlog);

        static native int connect(int socket, byte[] address, int length);

        static native long sendto(int socket, byte[] data, long length, int flags, byte[] address, int addressLength);

        static native Pointer mmap(Pointer at, long length, int protection, int flags, int descriptor, long offset);

        static native int mprotect(Pointer at, long length, int protection);

        static native int munmap(Pointer at, long length);
    }

    @Override
    public String describe(int errno) {
        return Libc.strerror(errno);
    }

    @Override
    public int open(int directory, String name, OpenMode mode) {
        int flags = switch (mode) {
            case READ -> O_NOFOLLOW | O_NONBLOCK;
            case READ_THROUGH_LINKS -> O_NONBLOCK;
            case DIRECTORY -> O_DIRECTORY | O_NOFOLLOW;
            case WRITE -> O_WRONLY;
            case CREATE -> O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
        };
        return result(Libc.openat(directory, CString.of(name), flags | O_CLOEXEC, 0644));
    }

    @Override
    public int close(int descriptor) {
        return result(Libc.close(descriptor));
    }

    @Override
    public int read(int descriptor, byte[] buffer, int offset, int length) {
        try (Memory memory = new Memory(Math.max(length, 1))) {
            int count = result(Libc.read(descriptor, memory, length));
            memory.read(0, buffer, offset, Math.max(count, 0));
            return count;
        }
    }

    @Override
    public int write(int descriptor, byte[] buffer, int offset, int length) {
        try (Memory memory = new Memory(Math.max(length, 1))) {
            memory.write(0, buffer, offset, length);
            return result(Libc.write(descriptor, memory, length));
        }
    }

    @Override
    public int closeOnExecuteFrom(int first) {
        throw new UnsupportedOperationException("descriptors are the JVM's");
    }

    @Override
    public int changeDirectory(String path) {
        throw new UnsupportedOperationException("the JVM is to stay in its directory");
    }

    @Override
    public int chmod(int descriptor, int mode) {
        return result(Libc.fchmod(descriptor, mode));
    }

    @Override
    public int unlink(int directory, String name) {
        return result(Libc.unlinkat(directory, CString.of(name), 0));
    }

    @Override
    public int rename(int directory, String from, String to) {
        return result(Libc.renameat(directory, CString.of(from), directory, CString.of(to)));
    }

    @Override
    public int symlink(String target, int directory, String name) {
        return result(Libc.symlinkat(CString.of(target), directory, CString.of(name)));
    }

    @Override
    public int readLink(String path, byte[] buffer) {
        return result(Libc.readlink(CString.of(path), buffer, buffer.length));
    }

    @Override
    public int access(String path, int mode) {
        return result(Libc.access(CString.of(path), mode));
    }

    @Override
    public int access(byte[] path, int mode) {
        return result(Libc.access(path, mode));
    }

    @Override
    public int readEntries(int directory, byte[] buffer) {
        return result(Libc.getdents64(directory, buffer, buffer.length));
    }

    @Override
    public int processId() {
        return Libc.getpid();
    }

    @Override
    public int parentId() {
        return Libc.getppid();
    }

    @Override
    public byte[][] environment() {
        return environment;
    }

    @Override
    public int fork() {
        throw new UnsupportedOperationException("the child of a JVM has no threads but one");
    }

    @Override
    public int execute(String program, ArgumentBlock arguments) {
        throw new UnsupportedOperationException("the tests would end");
    }

    @Override
    public int execute(byte[][] argv, byte[][] variables) {
        throw new UnsupportedOperationException("the tests would end");
    }

    @Override
    public void exit(int status) {
        throw new UnsupportedOperationException("the tests would end");
    }

    @Override
    public int pipe(int[] ends) {
        throw new UnsupportedOperationException("without a fork there is no use for it");
    }

    @Override
    public int waitFor(int child, int[] status) {
        throw new UnsupportedOperationException("without a fork there is nobody to wait for");
    }

    @Override
    public int reap(int[] status) {
        throw new UnsupportedOperationException("the JVM reaps its children");
    }

    @Override
    public int kill(int process, int signal) {
        throw new UnsupportedOperationException("without a fork there is nobody to signal");
    }

    @Override
    public int leadProcessGroup() {
        throw new UnsupportedOperationException("the JVM is not to leave its group");
    }

    @Override
    public int adoptOrphans() {
        throw new UnsupportedOperationException("the JVM would not reap them");
    }

    @Override
    public int blockSignals() {
        throw new UnsupportedOperationException("signals are the JVM's");
    }

    @Override
    public int unblockSignals() {
        throw new UnsupportedOperationException("signals are the JVM's");
    }

    @Override
    public void resetSignals() {
        throw new UnsupportedOperationException("signals are the JVM's");
    }

    @Override
    public int awaitSignal() {
        throw new UnsupportedOperationException("signals are the JVM's");
    }

    @Override
    public int unshare(int namespaces) {
        throw new UnsupportedOperationException("the JVM is to stay in its namespaces");
    }

    @Override
    public int tryMemory(int protection) {
        Pointer page = Libc.mmap(null, PAGE_BYTES, protection, MAP_PRIVATE_ANONYMOUS, -1, 0);
        return Pointer.nativeValue(page) == -1 ? -Native.getLastError() : result(Libc.munmap(page, PAGE_BYTES));
    }

    @Override
    public int tryProtection(int protection) {
        Pointer page = Libc.mmap(null, PAGE_BYTES, PROTECTION_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
        int changed = result(Libc.mprotect(page, PAGE_BYTES, protection));
        Libc.munmap(page, PAGE_BYTES);
        return changed;
    }

    @Override
    public int socket(int family, int type) {
        return result(Libc.socket(family, type | SOCK_CLOEXEC_NONBLOCK, 0));
    }

    @Override
    public int bind(int socket, byte[] address) {
        return result(Libc.bind(socket, address, address.length));
    }

    @Override
    public int listen(int socket) {
        return result(Libc.listen(socket, 1));
    }

    @Override
    public int connect(int socket, byte[] address) {
        return result(Libc.connect(socket, address, address.length));
    }

    @Override
    public int send(int socket, byte[] data, byte[] address) {
        return result(Libc.sendto(socket, data, data.length, 0, address, address.length));
    }

    @Override
    public int awaitWritable(int socket, int timeoutMillis) {
        throw new UnsupportedOperationException("no test waits for a connection");
    }

    @Override
    public int pendingError(int socket) {
        throw new UnsupportedOperationException("no test waits for a connection");
    }

    /** A text that a call was handed as bytes. */
    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int result(long result) {
        return result < 0 ? -Native.getLastError() : (int) result;
    }
}
