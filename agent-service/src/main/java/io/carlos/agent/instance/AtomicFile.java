package io.carlos.agent.instance;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;

/**
 * Writes files of which a reader, also one after a crash, sees all or nothing. Whatever stands in the place of the file or of the
 * temporary one, be it a link, a fifo or a whole tree, is removed and not followed: a tenant may have put it there.
 */
final class AtomicFile {
    private static final String TEMPORARY = ".new";

    private AtomicFile() {}

    /** Once it returns, the file is durable. When it fails, the temporary file is removed. */
    static void write(Directory directory, String name, int mode, byte[] content) throws IOException {
        String temporary = temporaryName(name);
        directory.removeTree(temporary);
        try {
            try (LinuxFile file = directory.createFile(temporary, mode)) {
                file.write(content);
                file.sync();
            }
            replace(directory, temporary, name);
            directory.sync();
        } catch (IOException e) {
            removeAfter(e, directory, temporary);
            throw e;
        }
    }

    static String temporaryName(String name) {
        return "." + name + TEMPORARY;
    }

    static boolean isTemporary(String name) {
        return name.startsWith(".") && name.endsWith(TEMPORARY);
    }

    private static void replace(Directory directory, String temporary, String name) throws IOException {
        try {
            directory.rename(temporary, directory, name);
        } catch (LinuxException e) {
            if (!e.is(Errno.EISDIR)) {
                throw e;
            }
            directory.removeTree(name);
            directory.rename(temporary, directory, name);
        }
    }

    private static void removeAfter(IOException failure, Directory directory, String temporary) {
        try {
            directory.removeTree(temporary);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
