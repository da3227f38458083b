package io.carlos.model.box;

import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where everything is on a box. Paths are made of roots and of names that were checked before, never of other text.
 *
 * <p>An instance has two directories, one for data and one for sockets and exit records, and each of them two paths: the
 * storage, and its bound view on a mount that follows no links, which is the path that programs use.
 *
 * @param data the data root, {@code /data}
 * @param run the run root, {@code /run/carlos}
 * @param live where root puts the links to the hosts' current binaries, {@code /opt/carlos/live}
 * @param configuration configuration and credentials, {@code /etc/carlos}
 */
public record BoxPaths(Path data, Path run, Path live, Path configuration) {
    /** The environment variable that names another data root. */
    public static final String DATA_VARIABLE = "CARLOS_DATA_DIR";

    public static final BoxPaths DEFAULT = under(Path.of("/"));

    /** What a {@code sockaddr_un} holds besides the NUL that ends it. */
    private static final int MAX_SOCKET_PATH_BYTES = 107;

    /** @throws IllegalArgumentException when a root is not absolute, not normalised or the root of the file system */
    public BoxPaths {
        checkRoot("data root", data);
        checkRoot("run root", run);
        checkRoot("live directory", live);
        checkRoot("configuration directory", configuration);
    }

    /** A box whose file system starts at the given directory. */
    public static BoxPaths under(Path root) {
        return new BoxPaths(
                root.resolve("data"),
                root.resolve("run/carlos"),
                root.resolve("opt/carlos/live"),
                root.resolve("etc/carlos"));
    }

    /** The box as its environment tells: the default one, with the data root of {@link #DATA_VARIABLE} if that is set. */
    public static BoxPaths of(Map<String, String> environment) {
        String data = environment.getOrDefault(DATA_VARIABLE, "");
        return data.isEmpty() ? DEFAULT : DEFAULT.withData(Path.of(data));
    }

    public BoxPaths withData(Path other) {
        return new BoxPaths(other, run, live, configuration);
    }

    public BoxPaths withRun(Path other) {
        return new BoxPaths(data, other, live, configuration);
    }

    /** The link to the host's current binary. */
    public Path liveBinary(Host host) {
        return live.resolve(host.value());
    }

    public Path instanceDataStorage(InstanceId id) {
        return data.resolve(".instances").resolve(id.value());
    }

    public Path instanceData(InstanceId id) {
        return data.resolve("instances").resolve(id.value());
    }

    public Path instanceRunStorage(InstanceId id) {
        return run.resolve(".instances").resolve(id.value());
    }

    public Path instanceRun(InstanceId id) {
        return run.resolve("instances").resolve(id.value());
    }

    /** The directory of all runs beside an instance; what it holds is gone once they have ended. */
    public Path runDirectories(InstanceId id) {
        return instanceData(id).resolve(".carlos-run");
    }

    /** One run's directory, {@code CARLOS_RUN_DIR} of its command. */
    public Path runDirectory(InstanceId id, RunId runId) {
        return runDirectories(id).resolve(runId.value());
    }

    /** The directory of the agent's log listeners. */
    public Path logs() {
        return run.resolve("logs");
    }

    /** The log listener of a role. The streams of a command are kept apart, those of any other role share a socket. */
    public Path logSocket(InstanceId id, Role role, OutputChannel channel) {
        return socket(logs().resolve(id.value() + "." + role.wireName() + streamPart(role, channel) + ".sock"));
    }

    /** The agent's own directory for what is there while it runs, for its user alone. */
    public Path agentRun() {
        return run.resolve("agent");
    }

    /** The agent's admin socket. */
    public Path agentSocket() {
        return socket(agentRun().resolve("agent.sock"));
    }

    /** The control service's own directory, beside the run root and never under it: tenants' users can write there. */
    public Path control() {
        return run.resolveSibling(run.getFileName() + "-control");
    }

    public Path controlSocket() {
        return socket(control().resolve("control.sock"));
    }

    public Path controlHealthSocket() {
        return socket(control().resolve("health.sock"));
    }

    /** The last report of the readiness probe. */
    public Path probeReport() {
        return control().resolve("probe.out");
    }

    /** A file that no tenant must be able to read; the readiness probe tries. */
    public Path probeSecret() {
        return configuration.resolve("probe-secret");
    }

    private static String streamPart(Role role, OutputChannel channel) {
        if (role != Role.CMD) {
            return "";
        }
        return switch (channel) {
            case STDOUT -> ".out";
            case STDERR -> ".err";
        };
    }

    private static Path socket(Path path) {
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_SOCKET_PATH_BYTES) {
            throw new IllegalStateException("socket path: " + path + ": it has " + bytes + " bytes, over the "
                    + MAX_SOCKET_PATH_BYTES + " of a socket address; take a shorter run root");
        }
        return path;
    }

    private static void checkRoot(String what, Path root) {
        if (!root.isAbsolute() || !root.equals(root.normalize()) || root.getFileName() == null) {
            throw new IllegalArgumentException(
                    what + ": \"" + root + "\": expected an absolute path below /, without . and ..");
        }
    }
}
