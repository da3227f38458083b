package io.carlos.agent.container.podman;

import java.nio.file.Path;

/** What a container has as its root file system; what it writes there goes with it. */
public sealed interface ContainerRoot {
    /** @param path absolute; never written */
    record Directory(Path path) implements ContainerRoot {
        public Directory {
            if (!path.isAbsolute() || path.toString().indexOf(':') >= 0) {
                throw new IllegalArgumentException(
                        "the root file system " + path + ": expected an absolute path without a colon");
            }
        }
    }

    /** @param name of an image that podman has; none is ever pulled */
    record Image(String name) implements ContainerRoot {
        public Image {
            if (name.isBlank() || name.startsWith("-")) {
                throw new IllegalArgumentException("the image \"" + name + "\": expected its name");
            }
        }
    }
}
