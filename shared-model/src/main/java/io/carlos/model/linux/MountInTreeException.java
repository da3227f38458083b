package io.carlos.model.linux;

import java.io.IOException;
import java.util.List;

/**
 * A tree was removed except for what is mounted inside it and the directories on the way there. Unmount the named paths
 * and remove the tree again.
 */
public final class MountInTreeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String[] mounts;

    MountInTreeException(List<String> mounts) {
        super("remove tree: something is mounted on " + Printable.of(String.join(", ", mounts))
                + ": unmount it and remove the tree again");
        this.mounts = mounts.toArray(String[]::new);
    }

    /** The paths of the mount points, beginning with the path that the directory was opened by. */
    public List<String> mounts() {
        return List.of(mounts);
    }
}
