package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a workspace's program comes to serve a directory that nobody knew at its start: as a mount within what it shares.
 *
 * <p>The program is started within namespaces of users and mounts, of which the agent's user is root; no privilege is
 * needed. There its workspace is a shared mount. What it makes of that for its own sandbox is a copy that mounts are
 * handed on to, so that one made later, from outside of the sandbox, is seen within. On this machine the directory
 * stays empty, and the mounts are gone with the last program that has the namespace.
 *
 * <p>The workspace is a file system of its own, too small to keep anything in. A guest may write beside its data, and
 * must not fill the one that has the agent's sockets and the box's memory.
 */
final class LateData {
    /** The directory within the workspace. */
    static final String NAME = "data";

    /** Whom the agent's user is in the namespace. */
    static final Helpers.Owner OWNER = new Helpers.Owner(0, 0);

    /** A program that waits for the one it has started, and so keeps the namespace that is not that one's sandbox. */
    private static final List<String> NAMESPACE = List.of(
            "/usr/bin/unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "--propagation",
            "private",
            "--fork",
            "--kill-child");

    private static final String SHARE = "mount -t tmpfs -o size=64k,nr_inodes=16,mode=700 workspace \"$0\""
            + " && mkdir -m 700 \"$0/" + NAME + "\" && mount --make-shared \"$0\" && exec \"$@\"";

    private LateData() {}

    /** virtiofsd with its words, for which the workspace can be given something. */
    static ProgramSpec prepared(ProgramSpec spec, Path workspace) {
        List<String> argv = new ArrayList<>(NAMESPACE);
        argv.addAll(List.of("/bin/sh", "-c", SHARE, workspace.toString()));
        argv.addAll(spec.argv());
        // The files of a mount have another numbering.
        argv.add("--announce-submounts");
        return new ProgramSpec(spec.name(), argv, spec.listensOn());
    }

    /**
     * A program that ends with 0 when the workspace has the directory.
     *
     * @param holder the process of the program that was prepared
     */
    static ProgramSpec gift(int holder, Path workspace, Path source) {
        List<String> argv = List.of(
                "/usr/bin/nsenter",
                "--user",
                "--mount",
                "--preserve-credentials",
                "--target",
                Integer.toString(holder),
                "mount",
                "--bind",
                "--",
                source.toString(),
                workspace.resolve(NAME).toString());
        return new ProgramSpec("mount", argv, Optional.empty());
    }
}
