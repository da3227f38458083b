package io.carlos.agent.container.microvm;

import java.nio.file.Path;

/**
 * What a machine boots.
 *
 * @param kernel compressed as its builders leave it
 * @param initramfs finds the root file system and starts the supervisor
 * @param rootFileSystem an erofs image, which no machine writes
 */
public record GuestImage(Path kernel, Path initramfs, Path rootFileSystem) {
    /** As the image's build lays them out. */
    public static GuestImage in(Path directory) {
        return new GuestImage(
                directory.resolve("vmlinuz"), directory.resolve("initramfs"), directory.resolve("root.erofs"));
    }
}
