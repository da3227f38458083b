package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An instance of the real agent's, whose program is the one beside these tests. */
final class AgentTenant {
    private static final BoxPaths BOX = BoxPaths.DEFAULT;
    private static final Path PROGRAM = BOX.live().resolveSibling("builds").resolve("tenant-program");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    private final Host host;
    private final InstanceId id;

    private AgentTenant(String name) {
        host = Host.of(name);
        id = InstanceId.of(host);
    }

    /** Without a program, which root has to place. */
    static AgentTenant create(String name, String... options) {
        AgentTenant tenant = new AgentTenant(name);
        List<String> words = new ArrayList<>(
                List.of("instances", "create", name, "--account", "acme", "--app", "web", "--region", "local"));
        words.addAll(List.of(options));
        Carlos.run(words.toArray(String[]::new)).text();
        return tenant;
    }

    static AgentTenant withProgram(String name, String... options) {
        place();
        return create(name, options).link(PROGRAM);
    }

    /** One whose record somebody else makes. */
    static AgentTenant linked(String name) {
        place();
        return new AgentTenant(name).link(PROGRAM);
    }

    AgentTenant link(Path program) {
        try {
            Files.deleteIfExists(BOX.liveBinary(host));
            Files.createSymbolicLink(BOX.liveBinary(host), program);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private static void place() {
        try (InputStream program = AgentTenant.class.getResourceAsStream("tenant-program")) {
            if (!Files.exists(PROGRAM)) {
                Files.createDirectories(PROGRAM.getParent());
                Files.copy(Objects.requireNonNull(program), PROGRAM);
                Files.setPosixFilePermissions(PROGRAM, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The words of a run of it. */
    String[] command(String... words) {
        return commandWith(List.of(), words);
    }

    String[] commandWith(List<String> options, String... words) {
        List<String> all = new ArrayList<>(List.of("run", "--host", host.value()));
        all.addAll(options);
        all.add("--");
        all.addAll(List.of(words));
        return all.toArray(String[]::new);
    }

    Carlos.Ended run(String... words) {
        return Carlos.run(command(words));
    }

    Path data(String name) {
        return BOX.instanceDataStorage(id).resolve(name);
    }

    Path appSocket() {
        return BOX.instanceRun(id).resolve("app.sock");
    }

    String read(String name) {
        try {
            return Files.readString(data(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitFile(String name) {
        Await.until(name + " of " + host, () -> Files.exists(data(name)));
    }

    boolean isPopulated(Role role) {
        try {
            Path events = CGROUPS.resolve(UnitName.of(role, host).cgroupPath()).resolve("cgroup.events");
            return Files.exists(events) && Files.readString(events).contains("populated 1");
        } catch (IOException e) {
            return false; // it went between the two looks
        }
    }

    /** The body of what its program answers. */
    String get(String path) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(appSocket()))) {
            channel.write(ByteBuffer.wrap(
                    ("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII)));
            String answer = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            int body = answer.indexOf("\r\n\r\n");
            return body < 0 ? answer : answer.substring(body + 4);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its row, as {@code instances show} has it. */
    String shown() {
        return Carlos.run("instances", "show", host.value(), "--output", "json").text();
    }

    void awaitShown(String text) {
        Await.until(host + " is shown with " + text, () -> shown().contains(text));
    }

    /** Whether a command of its runs. */
    boolean executes() {
        return isPopulated(Role.CMD);
    }

    /** Makes a file in its data, as the tenant. */
    void make(String name) {
        Command.of("runuser", "-u", "carlos", "--", "touch", data(name).toString())
                .output();
    }

    void assertNothingOfCommandsIsLeft() {
        assertThat(leftOfCommands()).isEmpty();
    }

    /** What the box still has of its commands: unit, processes, listeners, files. */
    List<String> leftOfCommands() {
        List<String> left = new ArrayList<>();
        if (isPopulated(Role.CMD)) {
            left.add("processes");
        }
        String unit = UnitName.of(Role.CMD, host).value();
        left.addAll(Command.systemctl("list-units", "--all", "--plain", "--no-legend", unit)
                .output()
                .lines()
                .toList());
        left.addAll(namesIn(data(".carlos-run")));
        namesIn(BOX.logs()).stream()
                .filter(name -> name.startsWith(id + ".cmd."))
                .forEach(left::add);
        namesIn(data("")).stream().filter(name -> name.contains("launch.cmd")).forEach(left::add);
        namesIn(BOX.instanceRun(id)).stream()
                .filter(name -> name.contains(".cmd."))
                .forEach(left::add);
        return left;
    }

    private static List<String> namesIn(Path directory) {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (var names = Files.list(directory)) {
            return names.map(path -> path.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return host.value();
    }
}
