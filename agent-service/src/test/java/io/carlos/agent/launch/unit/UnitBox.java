package io.carlos.agent.launch.unit;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directories of a box, with instances whose program is whatever its arguments name. */
final class UnitBox {
    private static final String ANY_PROGRAM = """
            #!/bin/sh
            cd "$CARLOS_RUN_DIR" || exit
            exec "$@"
            """;

    private final BoxPaths paths;

    UnitBox(Path root) throws IOException {
        paths = BoxPaths.under(root);
        Files.createDirectories(paths.logs());
        Files.createDirectories(paths.live());
    }

    BoxPaths paths() {
        return paths;
    }

    /** Makes an instance; returns its data directory. */
    Path addInstance(Host host) throws IOException {
        InstanceId id = InstanceId.of(host);
        Files.createDirectories(paths.instanceRun(id));
        Path program = Files.writeString(paths.liveBinary(host), ANY_PROGRAM);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.createDirectories(paths.instanceData(id));
    }
}
