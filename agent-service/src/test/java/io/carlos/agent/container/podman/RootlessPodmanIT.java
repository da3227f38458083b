package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.testing.PodmanHost;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract as a deployed agent meets it, whose user is not root. */
@Disabled(
        "commands hang: the agent's user may not read the environment of the starter, which has a number of the range")
class RootlessPodmanIT {
    /**
     * The accounts are in a namespace of mounts, so that the machine gets none, and the processes in one of their own, so
     * that none stays: podman leaves one for each user. The class path is a copy, as a user's repository may be its own.
     */
    private static final String AS_USER = """
            set -e
            mount --make-rshared /
            mount -t cgroup2 none /sys/fs/cgroup
            grep -v ':1000:' /etc/passwd >passwd
            echo "rootless:x:1000:1000::$PWD/home:/bin/sh" >>passwd
            echo rootless:200000:65536 >ranges
            mount --bind passwd /etc/passwd
            for file in /etc/subuid /etc/subgid; do mount --bind ranges $file; done
            mkdir home xdg scratch
            chmod 700 home xdg
            chown 1000:1000 home xdg scratch
            chown -R -h 1000:1000 root
            top=$PWD
            cd checkout/agent-service
            setpriv --reuid=1000 --regid=1000 --init-groups env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
              HOME=$top/home XDG_RUNTIME_DIR=$top/xdg CARLOS_PODMAN_ROOT=$top/root CARLOS_REQUIRE_PODMAN=1 \\
              "$1" --enable-native-access=ALL-UNNAMED -Djava.io.tmpdir=$top/scratch -cp "$2" "$3"
            exit $?
            """;

    @Test
    void everyRowHoldsForAUserOtherThanRoot(@TempDir Path directory) throws Exception {
        try (PodmanHost host = PodmanHost.require(directory)) {
            host.requireProgram(Path.of("/usr/bin/newuidmap"));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.createDirectories(directory.resolve("checkout/agent-service"));
            Path program = directory.resolve("checkout/guest-supervisor/target/carlos");
            Files.createDirectories(program.getParent());
            copy("-L", host.nativeProgram(), program);
            copy("-a", host.root(), directory.resolve("root"));
            Process run = new ProcessBuilder(
                            "unshare",
                            "--mount",
                            "--pid",
                            "--fork",
                            "--kill-child",
                            "--mount-proc",
                            "sh",
                            "-c",
                            AS_USER,
                            "sh",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            classPath(Files.createDirectory(directory.resolve("classes"))),
                            ContractAsUser.class.getName())
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(run.waitFor()).as(said).isZero();
        }
    }

    private static String classPath(Path copies) throws IOException, InterruptedException {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> entries = new ArrayList<>();
        for (String entry : own.split(File.pathSeparator)) {
            if (Files.exists(Path.of(entry))) {
                Path copy = copies.resolve(entries.size() + "-" + Path.of(entry).getFileName());
                copy("-rL", Path.of(entry), copy);
                entries.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void copy(String how, Path source, Path target) throws IOException, InterruptedException {
        Process copy = new ProcessBuilder("cp", how, source.toString(), target.toString())
                .inheritIO()
                .start();
        assertThat(copy.waitFor()).as("copy of " + source).isZero();
    }
}
