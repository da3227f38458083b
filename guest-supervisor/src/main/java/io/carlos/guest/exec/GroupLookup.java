package io.carlos.guest.exec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Finds a user's own group in a file of users, see passwd(5). It is read each time: a guest's workspace may bring users
 * with it. A user that is not in it, or whose group is root's, is in the group of the same number.
 */
final class GroupLookup {
    private static final int UID = 2;
    private static final int GID = 3;

    private final Path users;

    GroupLookup(Path users) {
        this.users = users;
    }

    int groupOf(int uid) throws IOException {
        String wanted = Integer.toUnsignedString(uid);
        String content;
        try {
            content = Files.readString(users, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return uid;
        }
        return content.lines()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length > GID && fields[UID].equals(wanted))
                .findFirst()
                .map(fields -> parse(fields[GID], uid))
                .orElse(uid);
    }

    private static int parse(String group, int uid) {
        try {
            int gid = Integer.parseUnsignedInt(group);
            return gid == 0 || gid == -1 ? uid : gid;
        } catch (NumberFormatException e) {
            return uid;
        }
    }
}
