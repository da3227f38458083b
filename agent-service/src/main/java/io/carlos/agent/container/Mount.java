package io.carlos.agent.container;

import java.nio.file.Path;

/**
 * A directory of this machine that a container has too.
 *
 * @param source absolute; it exists
 * @param target absolute, where the container has it
 */
public record Mount(Path source, String target, boolean readOnly) {
    public Mount {
        if (!source.isAbsolute() || !target.startsWith("/")) {
            throw new IllegalArgumentException(
                    "the mount of " + source + " at " + target + ": expected two absolute paths");
        }
    }

    public static Mount readWrite(Path source, String target) {
        return new Mount(source, target, false);
    }
}
