package io.carlos.agent.instance;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes files of which a reader, also one after a crash, sees all or nothing. A link or fifo in the place of the file, which a tenant
 * may have put there, is replaced and not followed. A directory is a failure: to remove what somebody fills may take for ever.
 */
public final class AtomicFile {
    private static final String TEMPORARY = ".new";

    private AtomicFile() {}

    /** Once it returns, the file is durable. When it fails, the temporary file is removed. */
    public static void write(Directory directory, String name, int mode, byte[] content) throws IOException {
        String temporary = temporaryName(name);
        try {
            try (LinuxFile file = directory.createFile(temporary, mode)) {
                file.write(content);
                file.sync();
            }
            directory.rename(temporary, directory, name);
            directory.sync();
        } catch (IOException e) {
            removeAfter(e, directory, temporary);
            throw e;
        }
    }

    /** One that nobody has put anything at. */
    private static String temporaryName(String name) {
        return ".%s.%016x%s".formatted(name, ThreadLocalRandom.current().nextLong(), TEMPORARY);
    }

    static boolean isTemporary(String name) {
        return name.startsWith(".") && name.endsWith(TEMPORARY);
    }

    private static void removeAfter(IOException failure, Directory directory, String temporary) {
        try {
            directory.unlink(temporary);
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                failure.addSuppressed(e);
            }
        }
    }
}
