package io.carlos.deploy.inside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Settings that a unit has until this is closed, after those of its file. */
final class DropIn implements AutoCloseable {
    private final Path file;

    /** @param settings lines below {@code [Service]} */
    DropIn(String unit, String settings) {
        file = Path.of("/run/systemd/system", unit + ".d", "test.conf");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "[Service]\n" + settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reload();
    }

    @Override
    public void close() {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reload();
    }

    private static void reload() {
        Command.systemctl("daemon-reload").output();
    }
}
