package io.carlos.guest.namespace.calls;

import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A box in a temporary directory, with the directories of one instance. */
public final class TemporaryBox {
    public static final Host HOST = Host.of("bill.example.com");
    public static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");

    private final Path root;

    public TemporaryBox(Path root) throws IOException {
        this.root = root.toRealPath();
        Files.createDirectories(data());
        Files.createDirectories(run());
        Files.createDirectories(program().getParent());
    }

    public Path root() {
        return root;
    }

    public Path data() {
        return root.resolve("data/instances").resolve(InstanceId.of(HOST).value());
    }

    public Path run() {
        return root.resolve("run/carlos/instances").resolve(InstanceId.of(HOST).value());
    }

    /** Where the host's current program is. */
    public Path program() {
        return root.resolve("opt/carlos/live").resolve(HOST.value());
    }

    public Path launchFile() {
        return data().resolve(LaunchFile.fileName(Role.RUN));
    }

    public Path statusFile() {
        return run().resolve(StatusFile.fileName(Role.RUN, INVOCATION));
    }

    public String rootVariable() {
        return "CARLOS_ROOT=" + root;
    }

    public static String invocationVariable() {
        return "INVOCATION_ID=" + INVOCATION;
    }

    /** Makes one of the machine's programs the host's. */
    public TemporaryBox install(String program) throws IOException {
        Files.copy(Path.of(program), program());
        return this;
    }

    /** Asks for the host's program with these arguments and no environment but {@code A=1}. */
    public TemporaryBox launch(String... arguments) throws IOException {
        List<String> argv = new ArrayList<>(List.of(arguments));
        argv.add(0, program().toString());
        Files.write(launchFile(), new LaunchFile(HOST, argv, List.of("A=1")).toBytes());
        return this;
    }

    /** The status file as {@code cause status}, or the reason why there is none. */
    public String status() {
        try {
            StatusFile status = StatusFile.read(Files.readAllBytes(statusFile()));
            return status.cause() + " " + status.status();
        } catch (IOException e) {
            return e.getClass().getSimpleName();
        }
    }
}
