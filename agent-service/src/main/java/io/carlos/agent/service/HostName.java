package io.carlos.agent.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine is called, see hostname(7). */
final class HostName {
    private static final Path FILE = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /** @throws IllegalArgumentException when it cannot be told */
    static String read() {
        try {
            return Files.readString(FILE).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    AgentProperties.PREFIX + ".box is not set, and this machine's name cannot be read: set it to the"
                            + " name of this box",
                    e);
        }
    }
}
