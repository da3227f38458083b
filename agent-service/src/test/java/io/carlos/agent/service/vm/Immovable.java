package io.carlos.agent.service.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A mount, which keeps the directory that it is in from being removed. Only root can have one. */
final class Immovable implements AutoCloseable {
    private final Path mount;

    private Immovable(Path mount) {
        this.mount = mount;
    }

    /** Skips the test when it cannot be made. */
    static Immovable in(Path directory) throws IOException {
        Path mount = Files.createDirectory(directory.resolve("immovable"));
        assumeTrue(succeeds("mount", "--bind", mount.toString(), mount.toString()), "a mount needs root");
        return new Immovable(mount);
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(command[0] + " cannot be executed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        assertThat(succeeds("umount", mount.toString())).isTrue();
    }
}
