package io.carlos.deploy.inside;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A host of this box whose programs are shell scripts. */
final class Tenant {
    /** A script that says when its handler is there, takes its time after SIGTERM, and ends with a status of its own: 42. */
    static final String SLOW_TO_END = """
            trap 'sleep 0.3; exit 42' TERM
            touch "$DATA/ready"
            while :; do sleep 60 & wait $!; done
            """;

    /** A script that says when it ignores SIGTERM, and never ends. */
    static final String DEAF = "trap '' TERM; touch \"$DATA/ready\"; while :; do sleep 1; done\n";

    private static final BoxPaths BOX = BoxPaths.DEFAULT;
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    private final Host host;
    private final InstanceId id;

    /** Makes what the agent makes for a host: its directories and the link to its binary. */
    Tenant(String name) {
        host = Host.of(name);
        id = InstanceId.of(host);
        try {
            makeDirectory(BOX.instanceDataStorage(id), "carlos:carlos", "0700");
            makeDirectory(BOX.instanceRunStorage(id), "carlos:carlos-sockets", "2750");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Some hosts, of names that start so. */
    static List<Tenant> several(int number, String name) {
        return IntStream.range(0, number)
                .mapToObj(i -> new Tenant(name + i + ".example.com"))
                .toList();
    }

    /** What the role does from its next start on. */
    Tenant with(Role role, String script) {
        try {
            Path program = BOX.live().resolveSibling("builds").resolve(host + "-" + role);
            Files.createDirectories(program.getParent());
            Files.writeString(program, "#!/bin/sh\n" + script);
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.deleteIfExists(BOX.liveBinary(host));
            Files.createSymbolicLink(BOX.liveBinary(host), program);
            LaunchFile launch = new LaunchFile(
                    host,
                    List.of(BOX.liveBinary(host).toString()),
                    List.of("PATH=/usr/bin:/usr/sbin", "DATA=" + data(), "RUN=" + BOX.instanceRun(id)));
            Files.write(BOX.instanceDataStorage(id).resolve(LaunchFile.fileName(role)), launch.toBytes());
            own(BOX.instanceDataStorage(id).resolve(LaunchFile.fileName(role)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Where the tenant has what it loses when the box is started anew, by the path that root has for it. */
    Path run() {
        return BOX.instanceRun(id);
    }

    String show(Role role, String property) {
        return Command.systemctl(
                        "show", "--property=" + property, "--value", unit(role).value())
                .output();
    }

    UnitName unit(Role role) {
        return UnitName.of(role, host);
    }

    /** Where the tenant keeps its data, by the path that it has for it. */
    Path data() {
        return BOX.instanceData(id);
    }

    void start(Role role) {
        Command.systemctl("start", unit(role).value()).output();
    }

    void startWithoutWaiting(Role role) {
        Command.systemctl("start", "--no-block", unit(role).value()).output();
    }

    /** Waits until the script has made a file of that name in its data. */
    void awaitFile(String name) {
        Await.until(name + " of " + host, () -> Files.exists(data().resolve(name)));
    }

    void deleteFile(String name) {
        try {
            Files.deleteIfExists(data().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String readFile(String name) {
        try {
            return Files.readString(data().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends as the control service does: a signal, and systemd sees to what is left once nobody is there. */
    void stopInSequence(Role role) {
        Command.systemctl(
                        "kill",
                        "--kill-whom=main",
                        "--signal=SIGTERM",
                        unit(role).value())
                .output();
        awaitEnd(role);
        stop(role);
    }

    void stop(Role role) {
        Command.systemctl("stop", unit(role).value()).output();
    }

    void forget(Role role) {
        Command.systemctl("reset-failed", unit(role).value()).run();
    }

    /** Waits until the unit's control group has no process. */
    void awaitEnd(Role role) {
        Await.until("the end of " + unit(role), () -> !isPopulated(role));
    }

    boolean isPopulated(Role role) {
        try {
            Path events = CGROUPS.resolve(unit(role).cgroupPath()).resolve("cgroup.events");
            return Files.exists(events) && Files.readString(events).contains("populated 1");
        } catch (IOException e) {
            // It went between the two looks.
            return false;
        }
    }

    /** The invocation that systemd knows, once it has given the unit one. */
    InvocationId invocation(Role role) {
        String[] value = {""};
        Await.until("an invocation of " + unit(role), () -> {
            value[0] = show(role, "InvocationID");
            return !value[0].isEmpty();
        });
        return InvocationId.of(value[0]);
    }

    /** What the trampoline wrote of that invocation. */
    Optional<StatusFile> status(Role role, InvocationId invocation) {
        try {
            Path file = BOX.instanceRun(id).resolve(StatusFile.fileName(role, invocation));
            return Files.exists(file) ? Optional.of(StatusFile.read(Files.readAllBytes(file))) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits for the end of what was started, and tells how the trampoline saw it. Its first word is there before the command,
     * its last before the control group is empty; without a last word it was killed.
     */
    StatusFile awaitStatus(Role role, InvocationId invocation) {
        Await.until("a status of " + unit(role), () -> status(role, invocation).isPresent());
        awaitEnd(role);
        return status(role, invocation).orElseThrow();
    }

    private static void makeDirectory(Path directory, String owner, String mode) throws IOException {
        Files.createDirectories(directory);
        Command.of("chown", owner, directory.toString()).output();
        Command.of("chmod", mode, directory.toString()).output();
    }

    private static void own(Path file) {
        Command.of("chown", "carlos:carlos", file.toString()).output();
    }

    @Override
    public String toString() {
        return host.value();
    }
}
