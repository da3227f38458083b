package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.JnaSyscalls;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.model.text.CString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A namespace in memory, as it must be; a test changes what it wants to see found out. */
final class FakeNamespace extends JnaSyscalls {
    static final String STATUS = """
            Name:\tcarlos
            CapInh:\t0000000000000000
            CapPrm:\t0000000000000000
            CapEff:\t0000000000000000
            CapBnd:\t0000000000000000
            CapAmb:\t0000000000000000
            NoNewPrivs:\t1
            Seccomp:\t2
            """;
    static final String MOUNTS = """
            1 0 8:1 / / ro,relatime - ext4 /dev/vda ro
            2 1 0:2 / /run ro,nosuid - tmpfs tmpfs rw
            6 1 0:9 /systemd/inaccessible/dir /etc/carlos ro,nosuid - tmpfs tmpfs rw
            7 1 0:6 / /dev/shm rw,nosuid - tmpfs tmpfs rw
            8 1 0:7 / /dev/mqueue rw,nosuid - mqueue mqueue rw
            3 1 0:3 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup2 rw
            4 1 8:1 /data/.instances/_probe /data/instances/_probe rw,nosymfollow - ext4 /dev/vda rw
            5 2 0:2 /carlos/.instances/_probe /run/carlos/instances/_probe rw,nosymfollow - tmpfs tmpfs rw
            """;
    static final String GROUP = "/carlos.slice/carlos-instances.slice/carlos-instance-probe.service";

    static final List<String> HOST_SERVICES = List.of(
            "/run/carlos-control/control.sock",
            "/run/credentials",
            "/run/dbus/system_bus_socket",
            "/run/systemd/journal/stdout",
            "/run/systemd/notify",
            "/run/systemd/private");

    private static final int DESCRIPTOR = 3;

    /** What directories list. A name that ends in a slash is a directory, one with a star a device. */
    final Map<String, List<String>> directories = new HashMap<>();

    final Map<String, String> files = new TreeMap<>();

    /** What opening, or making a file in, a path answers when that is not what the maps say. */
    final Map<String, Integer> openErrors = new HashMap<>();

    final Map<String, Integer> createErrors = new HashMap<>();
    final Map<String, Integer> accessErrors = new HashMap<>();
    final Map<String, Integer> connectErrors = new HashMap<>();
    final Map<Integer, Integer> socketErrors = new HashMap<>();
    final Map<Integer, Integer> memoryErrors = new HashMap<>();
    final Map<String, String> links = new HashMap<>();
    int linkError = Errno.ELOOP;
    int processId = 1;
    int parentId;
    int protectionError = Errno.EPERM;
    int unshareError;
    int unshareInChildError = Errno.EPERM;
    int metadataV4Error = Errno.EPERM;
    int metadataV6Error = Errno.EPERM;
    int loopbackError;
    boolean metadataAnswers;
    int metadataConnectError = Errno.EPERM;
    boolean childCanBeSignalled = true;
    boolean siblings;

    private final Map<Integer, String> open = new HashMap<>();
    private final Map<Integer, Integer> position = new HashMap<>();
    private int children;

    FakeNamespace() {
        this(
                "CARLOS_OUTSIDE_IPC=ipc:[1]",
                "CARLOS_OUTSIDE_RUN=0:9",
                "CARLOS_OUTSIDE_SHM=0:10",
                "CARLOS_OUTSIDE_MQUEUE=0:11");
    }

    FakeNamespace(String... environment) {
        super(environment);
        directories.put("/data", List.of("instances/"));
        directories.put("/data/instances", List.of("_probe/"));
        directories.put("/data/instances/_probe", List.of());
        directories.put("/run/carlos", List.of("instances/"));
        directories.put("/run/carlos/instances", List.of("_probe/"));
        directories.put("/run/carlos/instances/_probe", List.of());
        directories.put("/var/cache", List.of());
        directories.put("/var/lib", List.of());
        directories.put("/proc", List.of("1/", "self", "status"));
        directories.put("/proc/self/fd", List.of("0", "1", "2", "3"));
        directories.put("/dev", List.of("null*", "zero*", "urandom*", "pts/", "log"));
        directories.put("/dev/pts", List.of("0*", "ptmx*"));
        for (String directory : List.of("/", "/usr", "/etc", "/run")) {
            directories.put(directory, List.of("bin/"));
            createErrors.put(directory, Errno.EROFS);
        }
        openErrors.put("/etc/carlos", Errno.EACCES);
        openErrors.put("/etc/carlos/probe-secret", Errno.EACCES);
        files.put("/proc/self/status", STATUS);
        files.put("/proc/self/mountinfo", MOUNTS);
        files.put("/proc/self/cgroup", "0::" + GROUP + "\n");
        files.put("/sys/fs/cgroup/cgroup.procs", "");
        files.put("/sys/fs/cgroup" + GROUP + "/cgroup.procs", "1\n");
        files.put("/sys/fs/cgroup" + GROUP + "/memory.max", "67108864\n");
        files.put("/sys/fs/cgroup/carlos.slice/carlos-instances.slice/memory.max", "1073741824\n");
        files.put("/sys/fs/cgroup/carlos.slice/memory.max", "max\n");
        accessErrors.put("/sys/fs/cgroup/cgroup.procs", Errno.EACCES);
        socketErrors.put(NETLINK, Errno.EAFNOSUPPORT);
        socketErrors.put(VSOCK, Errno.EAFNOSUPPORT);
        socketErrors.put(PACKET, Errno.EAFNOSUPPORT);
        memoryErrors.put(PROTECTION_READ_WRITE_EXECUTE, Errno.EPERM);
        for (String service : HOST_SERVICES) {
            connectErrors.put(service, Errno.ENOENT);
        }
        links.put("/proc/self/ns/ipc", "ipc:[2]");
    }

    @Override
    public int open(int directory, String name, OpenMode mode) {
        String path = directory == FileCalls.WORKING_DIRECTORY ? name : open.get(directory) + "/" + name;
        if (mode == OpenMode.CREATE) {
            int error = createErrors.getOrDefault(open.get(directory), 0);
            return error == 0 ? opened(path) : -error;
        }
        if (openErrors.containsKey(path)) {
            return -openErrors.get(path);
        }
        if (links.containsKey(path)) {
            return linkError == 0 ? opened(links.get(path)) : -linkError;
        }
        boolean there = mode == OpenMode.DIRECTORY ? directories.containsKey(path) : files.containsKey(path);
        return there ? opened(path) : -Errno.ENOENT;
    }

    private int opened(String path) {
        int descriptor = DESCRIPTOR;
        while (open.containsKey(descriptor)) {
            descriptor++;
        }
        open.put(descriptor, path);
        position.put(descriptor, 0);
        return descriptor;
    }

    @Override
    public int close(int descriptor) {
        open.remove(descriptor);
        return 0;
    }

    /** Every call answers a little only, as a file of the kernel's may. */
    @Override
    public int read(int descriptor, byte[] buffer, int offset, int length) {
        if (!open.containsKey(descriptor)) {
            return 0;
        }
        byte[] content = CString.bytes(files.get(open.get(descriptor)));
        int from = position.get(descriptor);
        int count = Math.min(Math.min(length, 100), content.length - from);
        System.arraycopy(content, from, buffer, offset, count);
        position.put(descriptor, from + count);
        return count;
    }

    /** One entry with each call. */
    @Override
    public int readEntries(int directory, byte[] buffer) {
        List<String> names = new ArrayList<>(List.of(".", ".."));
        names.addAll(directories.get(open.get(directory)));
        int index = position.get(directory);
        if (index == names.size()) {
            return 0;
        }
        position.put(directory, index + 1);
        String name = names.get(index);
        byte[] bytes = CString.of(name.replace("/", "").replace("*", ""));
        int length = 19 + bytes.length;
        Arrays.fill(buffer, (byte) 0);
        buffer[16] = (byte) length;
        buffer[18] = (byte) (name.endsWith("/") ? 4 : name.endsWith("*") ? 2 : 8);
        System.arraycopy(bytes, 0, buffer, 19, bytes.length);
        return length;
    }

    @Override
    public int unlink(int directory, String name) {
        links.remove(open.get(directory) + "/" + name);
        return 0;
    }

    @Override
    public int symlink(String target, int directory, String name) {
        links.put(open.get(directory) + "/" + name, target);
        return 0;
    }

    @Override
    public int readLink(String path, byte[] buffer) {
        byte[] target = CString.bytes(links.getOrDefault(path, ""));
        System.arraycopy(target, 0, buffer, 0, target.length);
        return target.length == 0 ? -Errno.ENOENT : target.length;
    }

    @Override
    public int access(byte[] path, int mode) {
        return access(JnaSyscalls.text(path).split("\0", 2)[0], mode);
    }

    @Override
    public int access(String path, int mode) {
        if (!files.containsKey(path)) {
            return -Errno.ENOENT;
        }
        return mode == FileCalls.READABLE ? 0 : -accessErrors.getOrDefault(path, 0);
    }

    @Override
    public int processId() {
        return processId;
    }

    @Override
    public int parentId() {
        return parentId;
    }

    @Override
    public int fork() {
        children++;
        return 50;
    }

    @Override
    public int pipe(int[] ends) {
        ends[0] = 60;
        ends[1] = 61;
        return 0;
    }

    @Override
    public int waitFor(int child, int[] status) {
        children--;
        status[0] = unshareInChildError << 8;
        return child;
    }

    @Override
    public int kill(int process, int signal) {
        boolean reached = siblings || (children > 0 && childCanBeSignalled);
        return reached ? 0 : -Errno.ESRCH;
    }

    @Override
    public int unshare(int namespaces) {
        return -unshareError;
    }

    @Override
    public int tryMemory(int protection) {
        return -memoryErrors.getOrDefault(protection, 0);
    }

    @Override
    public int tryProtection(int protection) {
        return -protectionError;
    }

    @Override
    public int socket(int family, int type) {
        return socketErrors.containsKey(family) ? -socketErrors.get(family) : 70;
    }

    @Override
    public int bind(int socket, byte[] address) {
        return 0;
    }

    @Override
    public int listen(int socket) {
        return 0;
    }

    @Override
    public int connect(int socket, byte[] address) {
        if (address[0] == UNIX) {
            String path = new String(address, 2, address.length - 3, StandardCharsets.UTF_8);
            return -connectErrors.getOrDefault(path, 0);
        }
        return -metadataConnectError;
    }

    @Override
    public int awaitWritable(int socket, int timeoutMillis) {
        return metadataAnswers ? 1 : 0;
    }

    @Override
    public int pendingError(int socket) {
        return 0;
    }

    @Override
    public int send(int socket, byte[] data, byte[] address) {
        if (address[0] == INTERNET_6) {
            return metadataV6Error == 0 ? data.length : -metadataV6Error;
        }
        int error = address[4] == 127 ? loopbackError : metadataV4Error;
        return error == 0 ? data.length : -error;
    }
}
