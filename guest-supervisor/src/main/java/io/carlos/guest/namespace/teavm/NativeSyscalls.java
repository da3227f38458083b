package io.carlos.guest.namespace.teavm;

import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.start.ArgumentBlock;
import java.nio.charset.StandardCharsets;
import org.teavm.interop.Address;

/**
 * The C library in the compiled program. The collector moves arrays, and TeaVM may move what is allocated for a call into
 * the call's arguments, behind an address that was taken before. So the address of an array is only taken where the array
 * comes from outside of the method; what a method makes for a call is in memory that the collector does not know.
 */
final class NativeSyscalls extends NativeIdentityCalls implements Syscalls {
    private static final Address NULL = Address.fromLong(0);
    private static final int ANY_CHILD = -1;
    private static final int LAST_SIGNAL = 64;
    private static final long KERNEL_SIGNAL_SET_BYTES = 8;
    private static final int BACKLOG = 1;
    private static final int PAGE_BYTES = 64 * 1024;
    private static final int POLL_EVENTS_OFFSET = 4;
    private static final int SMALL_BYTES = 16;
    private static final int LAST_DESCRIPTOR = Integer.MAX_VALUE;

    private final Address path = NativeMemory.zeroed(NativeMemory.PATH_BYTES);
    private final Address otherPath = NativeMemory.zeroed(NativeMemory.PATH_BYTES);
    private final Address small = NativeMemory.zeroed(SMALL_BYTES);
    private final Address everySignal = NativeMemory.filled(Libc.SIGNAL_SET_BYTES, 0xff);
    private final Address noSignal = NativeMemory.zeroed(Libc.SIGNAL_SET_BYTES);
    private final Address defaultAction = NativeMemory.zeroed(Libc.SIGNAL_ACTION_BYTES);

    @Override
    public String describe(int errno) {
        return new String(NativeMemory.bytes(Libc.strerror(errno)), StandardCharsets.UTF_8);
    }

    @Override
    public int open(int directory, String name, OpenMode mode) {
        NativeMemory.put(path, name);
        return result(Libc.openat(directory, path, flags(mode), 0644));
    }

    private static int flags(OpenMode mode) {
        return switch (mode) {
            case READ -> Libc.openToRead();
            case READ_THROUGH_LINKS -> Libc.openToReadThroughLinks();
            case DIRECTORY -> Libc.openDirectory();
            case WRITE -> Libc.openToWrite();
            case CREATE -> Libc.openToCreate();
        };
    }

    @Override
    public int close(int descriptor) {
        return result(Libc.close(descriptor));
    }

    @Override
    public int closeOnExecuteFrom(int first) {
        return result(Libc.closeRange(Libc.numberOfCloseRange(), first, LAST_DESCRIPTOR, Libc.CLOSE_RANGE_CLOEXEC));
    }

    @Override
    public int changeDirectory(String directory) {
        NativeMemory.put(path, directory);
        return result(Libc.chdir(path));
    }

    @Override
    public int read(int descriptor, byte[] buffer, int offset, int length) {
        return result(Libc.read(descriptor, Address.ofData(buffer).add(offset), length));
    }

    @Override
    public int write(int descriptor, byte[] buffer, int offset, int length) {
        return result(Libc.write(descriptor, Address.ofData(buffer).add(offset), length));
    }

    @Override
    public int chmod(int descriptor, int mode) {
        return result(Libc.fchmod(descriptor, mode));
    }

    @Override
    public int unlink(int directory, String name) {
        NativeMemory.put(path, name);
        return result(Libc.unlinkat(directory, path, 0));
    }

    @Override
    public int rename(int directory, String from, String to) {
        NativeMemory.put(path, from);
        NativeMemory.put(otherPath, to);
        return result(Libc.renameat(directory, path, directory, otherPath));
    }

    @Override
    public int symlink(String target, int directory, String name) {
        NativeMemory.put(path, target);
        NativeMemory.put(otherPath, name);
        return result(Libc.symlinkat(path, directory, otherPath));
    }

    @Override
    public int readLink(String link, byte[] buffer) {
        NativeMemory.put(path, link);
        return result(Libc.readlink(path, Address.ofData(buffer), buffer.length));
    }

    @Override
    public int access(String file, int mode) {
        NativeMemory.put(path, file);
        return result(Libc.access(path, mode));
    }

    @Override
    public int access(byte[] file, int mode) {
        return result(Libc.access(Address.ofData(file), mode));
    }

    @Override
    public int readEntries(int directory, byte[] buffer) {
        return result(Libc.getdents64(Libc.numberOfGetdents64(), directory, Address.ofData(buffer), buffer.length));
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
        int count = 0;
        while (environmentEntry(count).toLong() != 0) {
            count++;
        }
        byte[][] entries = new byte[count][];
        for (int i = 0; i < count; i++) {
            entries[i] = NativeMemory.bytes(environmentEntry(i));
        }
        return entries;
    }

    private static Address environmentEntry(int index) {
        return Libc.environ().add((long) index * Long.BYTES).getAddress();
    }

    @Override
    public int fork() {
        return result(Libc.fork());
    }

    @Override
    public int execute(byte[][] argv, byte[][] environment) {
        Address arguments = NativeMemory.vector(argv);
        Address variables = NativeMemory.vector(environment);
        return result(Libc.execve(arguments.getAddress(), arguments, variables));
    }

    @Override
    public int execute(String program, ArgumentBlock arguments) {
        NativeMemory.put(path, program);
        Address texts = NativeMemory.copy(arguments.bytes(), arguments.start());
        Address argv = NativeMemory.vector(texts, arguments.arguments());
        Address variables = NativeMemory.vector(
                texts.add(NativeMemory.length(texts, arguments.arguments())), arguments.variables());
        return result(Libc.execve(path, argv, variables));
    }

    @Override
    public void exit(int status) {
        Libc.exit(status);
    }

    @Override
    public int pipe(int[] ends) {
        return result(Libc.pipe2(Address.ofData(ends), Libc.O_CLOEXEC));
    }

    @Override
    public int waitFor(int child, int[] status) {
        return result(Libc.waitpid(child, Address.ofData(status), 0));
    }

    @Override
    public int reap(int[] status) {
        return result(Libc.waitpid(ANY_CHILD, Address.ofData(status), Libc.WNOHANG));
    }

    @Override
    public int kill(int process, int signal) {
        return result(Libc.kill(process, signal));
    }

    @Override
    public int leadProcessGroup() {
        return result(Libc.setpgid(0, 0));
    }

    @Override
    public int adoptOrphans() {
        return result(Libc.prctl(Libc.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    }

    @Override
    public int blockSignals() {
        return result(Libc.sigprocmask(Libc.SIG_SETMASK, everySignal, NULL));
    }

    @Override
    public int unblockSignals() {
        return result(Libc.sigprocmask(Libc.SIG_SETMASK, noSignal, NULL));
    }

    /**
     * By the kernel's call, since the C library keeps two or three signals to itself and refuses to touch them. Those that
     * nobody can change are no matter.
     */
    @Override
    public void resetSignals() {
        for (int signal = 1; signal <= LAST_SIGNAL; signal++) {
            Libc.sigaction(Libc.numberOfSigaction(), signal, defaultAction, NULL, KERNEL_SIGNAL_SET_BYTES);
        }
    }

    @Override
    public int awaitSignal() {
        return result(Libc.sigwaitinfo(everySignal, NULL));
    }

    @Override
    public int unshare(int namespaces) {
        return result(Libc.unshare(namespaces));
    }

    @Override
    public int tryMemory(int protection) {
        Address page = Libc.mmap(NULL, PAGE_BYTES, protection, Libc.MAP_PRIVATE_ANONYMOUS, -1, 0);
        return page.toLong() == -1 ? -Libc.errno() : result(Libc.munmap(page, PAGE_BYTES));
    }

    @Override
    public int tryProtection(int protection) {
        Address page = Libc.mmap(NULL, PAGE_BYTES, PROTECTION_READ_WRITE, Libc.MAP_PRIVATE_ANONYMOUS, -1, 0);
        if (page.toLong() == -1) {
            return -Libc.errno();
        }
        int changed = result(Libc.mprotect(page, PAGE_BYTES, protection));
        Libc.munmap(page, PAGE_BYTES);
        return changed;
    }

    @Override
    public int socket(int family, int type) {
        return result(Libc.socket(family, type | Libc.SOCK_CLOEXEC_NONBLOCK, 0));
    }

    @Override
    public int bind(int socket, byte[] address) {
        NativeMemory.put(path, address);
        return result(Libc.bind(socket, path, address.length));
    }

    @Override
    public int listen(int socket) {
        return result(Libc.listen(socket, BACKLOG));
    }

    @Override
    public int connect(int socket, byte[] address) {
        NativeMemory.put(path, address);
        return result(Libc.connect(socket, path, address.length));
    }

    @Override
    public int send(int socket, byte[] data, byte[] address) {
        NativeMemory.put(path, address);
        return result(Libc.sendto(socket, Address.ofData(data), data.length, Libc.MSG_NOSIGNAL, path, address.length));
    }

    @Override
    public int awaitWritable(int socket, int timeoutMillis) {
        small.putInt(socket);
        small.add(POLL_EVENTS_OFFSET).putInt(Libc.POLLOUT);
        return result(Libc.poll(small, 1, timeoutMillis));
    }

    @Override
    public int pendingError(int socket) {
        Address length = small.add(Integer.BYTES);
        length.putInt(Integer.BYTES);
        int asked = result(Libc.getsockopt(socket, Libc.SOL_SOCKET, Libc.SO_ERROR, small, length));
        return asked < 0 ? asked : -small.getInt();
    }
}
