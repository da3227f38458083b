package io.carlos.deploy.box;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What keeps this machine from booting a box. */
final class BoxObstacle {
    private static final List<String> PROGRAMS =
            List.of("mmdebstrap", "zstd", "flock", "setpriv", "systemctl", "systemd-nspawn");
    private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final Path NATIVE_PROGRAM = Path.of("..", "guest-supervisor", "target", "carlos");

    private BoxObstacle() {}

    /** The first obstacle, and what to do. */
    static Optional<String> find() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return Optional.of("not root, which makes boxes");
        }
        List<String> missing =
                PROGRAMS.stream().filter(program -> !isThere(program)).toList();
        if (!missing.isEmpty()) {
            return Optional.of("missing: " + String.join(", ", missing)
                    + "; install mmdebstrap, zstd, util-linux and systemd-container");
        }
        if (!Files.exists(KEYRING)) {
            return Optional.of("missing: " + KEYRING + "; install debian-archive-keyring");
        }
        if (!Files.isExecutable(NATIVE_PROGRAM)) {
            return Optional.of("missing: the native program; install gcc and build again");
        }
        if (!Files.isDirectory(Path.of("/sys/fs/cgroup"))) {
            return Optional.of("missing: control groups on /sys/fs/cgroup");
        }
        return Optional.empty();
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
