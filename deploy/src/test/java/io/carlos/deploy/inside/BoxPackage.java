package io.carlos.deploy.inside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The package that this box was made with, and newer ones. */
final class BoxPackage {
    static final Path FILE = Path.of("/var/cache/carlos-box/carlos-box.deb");

    private static final String NAME = "carlos-box";

    private BoxPackage() {}

    /** The same package with another version and another default configuration. */
    static Path newer(String version) throws IOException {
        Path work = Files.createTempDirectory("package");
        Path unpacked = work.resolve("unpacked");
        Command.of("dpkg-deb", "--raw-extract", FILE.toString(), unpacked.toString())
                .output();
        Path control = unpacked.resolve("DEBIAN/control");
        Files.writeString(control, Files.readString(control).replaceFirst("(?m)^Version: .*$", "Version: " + version));
        Files.writeString(unpacked.resolve("usr/share/carlos/agent.yaml"), "# newer\n", StandardOpenOption.APPEND);
        Path sums = unpacked.resolve("DEBIAN/md5sums");
        // The package manager would find it changed ever after.
        Files.writeString(sums, Files.readString(sums).replaceFirst("(?m)^.* usr/share/carlos/agent.yaml\n", ""));
        Path file = work.resolve(NAME + "_" + version + "_amd64.deb");
        Command.of("dpkg-deb", "-Znone", "--build", unpacked.toString(), file.toString())
                .output();
        return file;
    }

    static String installedVersion() {
        return Command.of("dpkg-query", "--show", "--showformat=${Version}", NAME)
                .output();
    }

    static void install(Path file) {
        Command.of("dpkg", "--install", file.toString()).output();
    }

    static void remove() {
        Command.of("dpkg", "--remove", NAME).output();
    }

    /** What the package manager said of it. */
    static String purge() {
        return Command.of("dpkg", "--purge", NAME).output();
    }
}
