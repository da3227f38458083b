package io.carlos.model.linux.process;

import java.nio.file.Path;

/** What a shell would execute for a command's name. */
public sealed interface ProgramLookup {
    /** Where a shell looks when there is no {@code PATH}. */
    String DEFAULT_PATH = "/usr/bin:/bin";

    /** @param path as the kernel should be given it, possibly relative to the working directory of the lookup */
    record Found(String path) implements ProgramLookup {}

    record NotFound() implements ProgramLookup {}

    /** There is a file of this name, and it is a directory or has no permission to execute. */
    record NotExecutable() implements ProgramLookup {}

    /**
     * Looks the name up: one with a slash is taken as it is, any other is looked for in the directories of {@code path}
     * in order, of which an empty one means the working directory.
     *
     * @param path the value of the command's own {@code PATH}
     * @param workingDirectory the directory in which the command will start
     */
    static ProgramLookup lookUp(String name, String path, Path workingDirectory) {
        if (name.isEmpty()) {
            return new NotFound();
        }
        if (name.indexOf('/') >= 0) {
            return inspect(name, workingDirectory);
        }
        ProgramLookup best = new NotFound();
        for (String directory : path.split(":", -1)) {
            ProgramLookup candidate =
                    inspect(directory.isEmpty() ? "./" + name : directory + "/" + name, workingDirectory);
            if (candidate instanceof Found) {
                return candidate;
            }
            if (candidate instanceof NotExecutable) {
                best = candidate;
            }
        }
        return best;
    }

    /** Whether this is a directory that the effective user of the calling thread may start a process in. */
    static boolean mayStartIn(Path directory) {
        return Libc.eaccess(Libc.terminated(directory + "/."), Libc.F_OK) == 0;
    }

    private static ProgramLookup inspect(String path, Path workingDirectory) {
        String reached = path.startsWith("/") ? path : workingDirectory + "/" + path;
        if (Libc.eaccess(Libc.terminated(reached), Libc.F_OK) != 0) {
            return new NotFound();
        }
        boolean isDirectory = Libc.eaccess(Libc.terminated(reached + "/."), Libc.F_OK) == 0;
        boolean mayExecute = Libc.eaccess(Libc.terminated(reached), Libc.X_OK) == 0;
        return mayExecute && !isDirectory ? new Found(path) : new NotExecutable();
    }
}
