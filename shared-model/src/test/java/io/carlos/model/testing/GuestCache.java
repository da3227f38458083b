package io.carlos.model.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What a virtual machine is booted from and with, in this user's cache.
 *
 * @param image the directory of an image of this build
 * @param tools the directory of the programs
 */
public record GuestCache(Path image, Path tools) {
    private static final String REQUIRE_VARIABLE = "CARLOS_REQUIRE_MICROVM";
    private static final Duration BUILD_BOUND = Duration.ofMinutes(30);

    /** The scripts of the guest; every module is beside their parent. */
    public static final Path SCRIPTS =
            Path.of("..", "deploy", "guest").toAbsolutePath().normalize();

    /**
     * Ends the test as skipped where the cache has no image of this build. With {@code CARLOS_REQUIRE_MICROVM=1} in the
     * environment the image is made, and it fails where that cannot be done.
     */
    public static GuestCache require() throws IOException, InterruptedException {
        boolean required = "1".equals(System.getenv(REQUIRE_VARIABLE));
        Optional<String> obstacle = required ? obstacleOf("build") : missing();
        if (obstacle.isPresent() && required) {
            Assertions.fail(REQUIRE_VARIABLE + " is set, but there is no image: " + obstacle.get());
        }
        if (obstacle.isPresent()) {
            System.out.println("skipped: the tests of a virtual machine: " + obstacle.get());
            Assumptions.abort(obstacle.get());
        }
        return located();
    }

    /** Why the cache has no image of this build, if it has none. */
    public static Optional<String> missing() throws IOException, InterruptedException {
        return obstacleOf("build", "--if-built");
    }

    /** The image that was made last. */
    public static GuestCache located() throws IOException {
        Path guest = Path.of(Optional.ofNullable(System.getenv("CARLOS_CACHE"))
                        .orElse(System.getProperty("user.home") + "/.cache/carlos"))
                .resolve("guest");
        return new GuestCache(
                guest.resolve("image").toRealPath(),
                guest.resolve("tools").toRealPath().resolve("bin"));
    }

    private static Optional<String> obstacleOf(String script, String... arguments)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("guest-build", ".log");
        ProcessBuilder builder = new ProcessBuilder(SCRIPTS.resolve(script).toString());
        builder.command().addAll(List.of(arguments));
        Process build =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            boolean ended = build.waitFor(BUILD_BOUND.toSeconds(), TimeUnit.SECONDS);
            return ended && build.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(ended ? Files.readString(log).strip() : script + " takes longer than " + BUILD_BOUND);
        } finally {
            build.destroy();
            Files.delete(log);
        }
    }

    /** A machine within a virtual machine is emulated: that one's monitor may know too little for it. */
    public static boolean mustEmulate() throws IOException {
        boolean virtual = Files.readString(Path.of("/proc/cpuinfo")).contains(" hypervisor ");
        return virtual || !Files.isWritable(Path.of("/dev/kvm"));
    }
}
