package io.carlos.guest.exec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Finds a user's own group in the files of a system, see passwd(5) and group(5). They are read each time: a guest's
 * workspace may bring users with it. A user that is not listed, or whose group is root's, is in the group of the same
 * number, or in that of nobody when somebody else's group has this number.
 *
 * @param users like {@code /etc/passwd}
 * @param groups like {@code /etc/group}
 */
record GroupLookup(Path users, Path groups) {
    private static final int ID = 2;
    private static final int GROUP_OF_USER = 3;
    private static final int NOBODY = 65_534;

    static GroupLookup ofThisSystem() {
        return new GroupLookup(Path.of("/etc/passwd"), Path.of("/etc/group"));
    }

    int groupOf(int uid) throws IOException {
        Optional<Integer> listed = entryOf(users, uid)
                .filter(fields -> fields.size() > GROUP_OF_USER)
                .flatMap(fields -> parse(fields.get(GROUP_OF_USER)));
        if (listed.isPresent()) {
            return listed.get();
        }
        return entryOf(groups, uid).isPresent() ? NOBODY : uid;
    }

    private static Optional<List<String>> entryOf(Path file, int id) throws IOException {
        String wanted = Integer.toUnsignedString(id);
        String content;
        try {
            content = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        return content.lines()
                .map(line -> List.of(line.split(":", -1)))
                .filter(fields -> fields.size() > ID && fields.get(ID).equals(wanted))
                .findFirst();
    }

    private static Optional<Integer> parse(String group) {
        try {
            int gid = Integer.parseUnsignedInt(group);
            return gid == 0 || gid == -1 ? Optional.empty() : Optional.of(gid);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
