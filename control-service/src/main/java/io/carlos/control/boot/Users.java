package io.carlos.control.boot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The users of this machine, see passwd(5), and which of them this process is. */
final class Users {
    private static final Path FILE = Path.of("/etc/passwd");
    private static final Path OWN_STATUS = Path.of("/proc/self/status");
    private static final int UID_FIELD = 2;

    private Users() {}

    /** @throws IOException when there is no such user */
    static int uid(String name) throws IOException {
        for (String line : Files.readAllLines(FILE, StandardCharsets.ISO_8859_1)) {
            String[] fields = line.split(":", -1);
            if (fields.length > UID_FIELD && fields[0].equals(name)) {
                return Integer.parseUnsignedInt(fields[UID_FIELD]);
            }
        }
        throw new IOException(
                "user " + name + ": expected a line in " + FILE + ", found none; systemd-sysusers makes it");
    }

    /** The effective user id of this process. */
    static int ownUid() throws IOException {
        for (String line : Files.readAllLines(OWN_STATUS, StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("Uid:")) {
                return Integer.parseUnsignedInt(line.split("\\s+")[2]);
            }
        }
        throw new IOException(OWN_STATUS + ": expected a line \"Uid:\", found none");
    }
}
