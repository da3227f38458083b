package io.carlos.model.linux;

import java.util.Set;

/**
 * One line of {@code /proc/self/mountinfo}.
 *
 * @param id as {@link FileStatus#mountId} of everything on the mount
 * @param parentId the mount that the mount point is on
 * @param root the directory of the file system that is mounted, other than {@code /} for a bind mount of a part
 * @param point where it is mounted, as this process sees it
 * @param options of this mount, such as {@code ro} or {@code nosymfollow}
 * @param fileSystem its type, such as {@code ext4}
 * @param superOptions of the file system, shared by all its mounts
 */
public record Mount(
        long id,
        long parentId,
        String root,
        String point,
        Set<String> options,
        String fileSystem,
        String source,
        Set<String> superOptions) {

    /** Whether the kernel follows no symbolic link on this mount. */
    public boolean isNoSymFollow() {
        return options.contains("nosymfollow");
    }

    /** Whether nothing can be written through this mount, be it for the mount's or the file system's options. */
    public boolean isReadOnly() {
        return options.contains("ro") || superOptions.contains("ro");
    }
}
