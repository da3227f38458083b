package io.carlos.guest.namespace.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.ProcessCalls;
import io.carlos.guest.namespace.calls.SocketCalls;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeLine.Verdict;
import io.carlos.model.files.ProbeReport;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTest {
    static final List<String> HOST_SERVICES = FakeNamespace.HOST_SERVICES;

    private static final String SLICE_LIMIT = "/sys/fs/cgroup/carlos.slice/carlos-instances.slice/memory.max";
    private static final String GROUP_FILES = "/sys/fs/cgroup" + FakeNamespace.GROUP;

    @Test
    void inANamespaceAsItMustBeEveryCheckIsOk() {
        ProbeReport report = Probe.of(new FakeNamespace()).run();

        assertThat(report.lines()).extracting(ProbeLine::verdict).containsOnly(Verdict.OK);
        assertThat(report.ready()).isTrue();
        assertThat(report.lines())
                .extracting(ProbeLine::check)
                .containsExactly(
                        "data-tree",
                        "run-tree",
                        "var-empty",
                        "pid1",
                        "cgroup-ro",
                        "etc-carlos",
                        "symlink-eloop",
                        "nosymfollow",
                        "imds-v4",
                        "imds-v6",
                        "loopback",
                        "imds-tcp",
                        "capabilities",
                        "no-new-privileges",
                        "seccomp",
                        "open-descriptors",
                        "system-read-only",
                        "unshare",
                        "rwx-memory",
                        "devices",
                        "socket-families",
                        "host-services",
                        "ipc",
                        "siblings",
                        "memory-limit");
    }

    static Stream<Arguments> breaches() {
        return Stream.of(
                breach("data-tree", "another entry", box -> box.directories.put("/data", List.of("instances/", "x"))),
                breach(
                        "data-tree",
                        "another instance",
                        box -> box.directories.put("/data/instances", List.of("_probe/", "a.example.com/"))),
                breach(
                        "data-tree",
                        "not the own instance",
                        box -> box.directories.put("/data/instances", List.of("a.example.com/"))),
                breach("data-tree", "no data root", box -> box.directories.remove("/data")),
                breach(
                        "run-tree",
                        "the logs",
                        box -> box.directories.put("/run/carlos", List.of("instances/", "logs/"))),
                breach("var-empty", "a cache", box -> box.directories.put("/var/cache", List.of("apt/"))),
                breach("var-empty", "a state", box -> box.directories.put("/var/lib", List.of("dpkg/"))),
                breach("pid1", "another process id", box -> box.processId = 2),
                breach("pid1", "below a process 1 of another program", box -> {
                    below(box);
                    box.links.put("/proc/1/exe", "/sbin/init");
                }),
                breach("pid1", "another process", box -> box.directories.put("/proc", List.of("1/", "17/"))),
                breach("pid1", "an empty /proc", box -> box.directories.put("/proc", List.of())),
                breach("cgroup-ro", "writable", box -> box.accessErrors.clear()),
                breach(
                        "cgroup-ro",
                        "another error",
                        box -> box.accessErrors.put("/sys/fs/cgroup/cgroup.procs", Errno.ENOENT)),
                breach("cgroup-ro", "a writable mount", box -> mounts(box, "cgroup ro,", "cgroup rw,")),
                breach("cgroup-ro", "no cgroup files", box -> box.files.remove("/sys/fs/cgroup/cgroup.procs")),
                breach("etc-carlos", "a directory that opens", box -> {
                    box.openErrors.remove("/etc/carlos");
                    box.directories.put("/etc/carlos", List.of());
                }),
                breach("etc-carlos", "a secret that can be read", box -> {
                    box.openErrors.remove("/etc/carlos/probe-secret");
                    box.files.put("/etc/carlos/probe-secret", "probe");
                }),
                breach(
                        "etc-carlos",
                        "refused by its mode",
                        box -> mounts(box, "/systemd/inaccessible/dir /etc", "/etc/carlos /etc")),
                breach("etc-carlos", "no such directory", box -> box.openErrors.put("/etc/carlos", Errno.ENOENT)),
                breach("symlink-eloop", "links that are followed", box -> box.linkError = 0),
                breach("symlink-eloop", "another error", box -> box.linkError = Errno.EACCES),
                breach("symlink-eloop", "no target", box -> box.files.remove("/proc/self/status")),
                breach(
                        "nosymfollow",
                        "data without",
                        box -> mounts(box, "/data/instances/_probe rw,nosymfollow", "/data/instances/_probe rw")),
                breach(
                        "nosymfollow",
                        "run without",
                        box -> mounts(
                                box, "/run/carlos/instances/_probe rw,nosymfollow", "/run/carlos/instances/_probe rw")),
                breach("nosymfollow", "no mount", box -> mounts(box, " /data/instances/_probe rw", " /data/other rw")),
                breach("imds-v4", "sent", box -> box.metadataV4Error = 0),
                breach("imds-v4", "no route", box -> box.metadataV4Error = Errno.ENETUNREACH),
                breach("imds-v6", "sent", box -> box.metadataV6Error = 0),
                breach("imds-v6", "another error", box -> box.metadataV6Error = Errno.EACCES),
                breach("loopback", "refused", box -> box.loopbackError = Errno.EPERM),
                breach("imds-tcp", "connected at once", box -> box.metadataConnectError = 0),
                breach("imds-tcp", "connected later", box -> {
                    box.metadataConnectError = Errno.EINPROGRESS;
                    box.metadataAnswers = true;
                }),
                breach("capabilities", "one of the bounding set", box -> status(box, "CapBnd:\t0", "CapBnd:\t8")),
                breach("capabilities", "not told", box -> status(box, "CapAmb", "Other")),
                breach("no-new-privileges", "off", box -> status(box, "NoNewPrivs:\t1", "NoNewPrivs:\t0")),
                breach("seccomp", "off", box -> status(box, "Seccomp:\t2", "Seccomp:\t0")),
                breach(
                        "open-descriptors",
                        "another",
                        box -> box.directories.put("/proc/self/fd", List.of("0", "1", "2", "3", "9"))),
                breach(
                        "open-descriptors",
                        "itself not seen",
                        box -> box.directories.put("/proc/self/fd", List.of("0", "1", "2"))),
                breach("system-read-only", "a file in /etc", box -> box.createErrors.remove("/etc")),
                breach("system-read-only", "refused by modes only", box -> mounts(box, "/run ro", "/run rw")),
                breach(
                        "system-read-only",
                        "nothing can be written",
                        box -> box.createErrors.put("/data/instances/_probe", Errno.EROFS)),
                breach("unshare", "allowed", box -> box.unshareInChildError = 0),
                breach("unshare", "another error", box -> box.unshareInChildError = Errno.ENOENT),
                breach("unshare", "also for nothing", box -> box.unshareError = Errno.EPERM),
                breach("rwx-memory", "mapped", box -> box.memoryErrors.clear()),
                breach("rwx-memory", "changed", box -> box.protectionError = 0),
                breach(
                        "rwx-memory",
                        "no memory at all",
                        box -> box.memoryErrors.put(ProcessCalls.PROTECTION_READ_WRITE, Errno.EPERM)),
                breach("devices", "a disk", box -> box.directories.put("/dev", List.of("null*", "vda*"))),
                breach("devices", "one below", box -> {
                    box.directories.put("/dev", List.of("null*", "net/"));
                    box.directories.put("/dev/net", List.of("tun*"));
                }),
                breach("devices", "not even null", box -> box.directories.put("/dev", List.of())),
                breach("socket-families", "netlink", box -> box.socketErrors.remove(SocketCalls.NETLINK)),
                breach("socket-families", "vsock", box -> box.socketErrors.remove(SocketCalls.VSOCK)),
                breach("socket-families", "packet", box -> box.socketErrors.remove(SocketCalls.PACKET)),
                breach("socket-families", "no unix", box -> box.socketErrors.put(SocketCalls.UNIX, Errno.EAFNOSUPPORT)),
                breach("host-services", "the box's /run", box -> mounts(box, "0:2 / /run ro", "0:9 / /run ro")),
                breach("host-services", "no mount", box -> mounts(box, "0:2 / /run ro", "0:2 / /elsewhere ro")),
                breach(
                        "host-services",
                        "refused by its mode",
                        box -> box.connectErrors.put("/run/systemd/private", Errno.EACCES)),
                breach(
                        "host-services",
                        "nobody listens on D-Bus",
                        box -> box.connectErrors.put("/run/dbus/system_bus_socket", Errno.ECONNREFUSED)),
                breach(
                        "host-services",
                        "no own socket",
                        box -> box.connectErrors.put("/run/carlos/instances/_probe/.probe.sock", Errno.EACCES)),
                breach("ipc", "the box's namespace", box -> box.links.put("/proc/self/ns/ipc", "ipc:[1]")),
                breach("ipc", "no namespace", box -> box.links.remove("/proc/self/ns/ipc")),
                breach("ipc", "the box's memory", box -> mounts(box, "0:6 / /dev/shm", "0:10 / /dev/shm")),
                breach("ipc", "no mount", box -> mounts(box, "0:6 / /dev/shm", "0:6 / /elsewhere")),
                breach("ipc", "the box's queues", box -> mounts(box, "0:7 / /dev/mqueue", "0:11 / /dev/mqueue")),
                breach("siblings", "one", box -> box.siblings = true),
                breach("siblings", "not even a child", box -> box.childCanBeSignalled = false),
                breach("memory-limit", "none", box -> {
                    box.files.put(GROUP_FILES + "/memory.max", "max\n");
                    box.files.put(SLICE_LIMIT, "max\n");
                }));
    }

    @ParameterizedTest
    @FieldSource("HOST_SERVICES")
    void aServiceThatIsThereFailsTheCheck(String service) {
        FakeNamespace box = new FakeNamespace();
        box.connectErrors.remove(service);

        assertThat(line(Probe.of(box).run(), "host-services").verdict()).isEqualTo(Verdict.FAIL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host-services", "ipc"})
    void whatTheUnitDoesNotTellFailsTheCheck(String check) {
        assertThat(line(Probe.of(new FakeNamespace(new String[0])).run(), check).verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("breaches")
    void aBreachFailsItsCheck(String check, String what, Consumer<FakeNamespace> breach) {
        FakeNamespace box = new FakeNamespace();
        breach.accept(box);

        ProbeReport report = Probe.of(box).run();

        assertThat(line(report, check).verdict())
                .as(line(report, check).toString())
                .isEqualTo(Verdict.FAIL);
        assertThat(report.ready()).isFalse();
    }

    static Stream<Arguments> unknowns() {
        return Stream.of(
                breach("imds-v6", "no route", box -> box.metadataV6Error = Errno.ENETUNREACH),
                breach("memory-limit", "only of the probe itself", box -> box.files.put(SLICE_LIMIT, "max\n")),
                breach("memory-limit", "no controller", box -> box.files.remove(GROUP_FILES + "/memory.max")),
                breach("memory-limit", "no group", box -> box.files.remove(GROUP_FILES + "/cgroup.procs")),
                breach("memory-limit", "old groups", box -> box.files.put("/proc/self/cgroup", "4:memory:/\n")));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("unknowns")
    void whatABoxCannotTellIsUnverifiedAndDoesNotBlock(String check, String what, Consumer<FakeNamespace> change) {
        FakeNamespace box = new FakeNamespace();
        change.accept(box);

        ProbeReport report = Probe.of(box).run();

        assertThat(line(report, check).verdict()).isEqualTo(Verdict.UNVERIFIED);
        assertThat(report.ready()).isTrue();
    }

    static Stream<Arguments> others() {
        return Stream.of(
                breach("pid1", "below a process 1 of the same program", ProbeTest::below),
                breach("imds-tcp", "no answer", box -> box.metadataConnectError = Errno.EINPROGRESS),
                breach("cgroup-ro", "as root", box -> box.accessErrors.put("/sys/fs/cgroup/cgroup.procs", Errno.EROFS)),
                breach("memory-limit", "of a group above", box -> {
                    box.files.put(SLICE_LIMIT, "max\n");
                    box.files.put("/sys/fs/cgroup/carlos.slice/memory.max", "1073741824\n");
                }));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("others")
    void anotherGoodNamespaceIsOk(String check, String what, Consumer<FakeNamespace> change) {
        FakeNamespace box = new FakeNamespace();
        change.accept(box);

        assertThat(line(Probe.of(box).run(), check).verdict()).isEqualTo(Verdict.OK);
    }

    private static Arguments breach(String check, String what, Consumer<FakeNamespace> breach) {
        return arguments(check, what, breach);
    }

    private static void below(FakeNamespace box) {
        box.processId = 2;
        box.parentId = 1;
        box.directories.put("/proc", List.of("1/", "2/", "self"));
        box.links.put("/proc/1/exe", "/opt/carlos/carlos");
        box.links.put("/proc/self/exe", "/opt/carlos/carlos");
    }

    private static void mounts(FakeNamespace box, String from, String to) {
        change(box, "/proc/self/mountinfo", FakeNamespace.MOUNTS, from, to);
    }

    private static void status(FakeNamespace box, String from, String to) {
        change(box, "/proc/self/status", FakeNamespace.STATUS, from, to);
    }

    private static void change(FakeNamespace box, String file, String content, String from, String to) {
        assertThat(content).contains(from);
        box.files.put(file, content.replace(from, to));
    }

    private static ProbeLine line(ProbeReport report, String check) {
        return report.lines().stream()
                .filter(line -> line.check().equals(check))
                .findFirst()
                .orElseThrow();
    }
}
