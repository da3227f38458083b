package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The directories of a store. What is on disk beneath the root:
 *
 * <pre>
 * format     one line, {@value #FORMAT}: that this is a store, and how it is laid out
 * objects/   the values, each in a file of its own: see {@link ObjectPath}
 * locks/     a lock file for each part of the keys: see {@link ShardLocks}
 * tmp/       new values on their way: see {@link TempFiles}
 * changes/   how writers wake watchers: see {@link ChangeFiles}
 * </pre>
 */
final class StoreLayout implements AutoCloseable {
    static final String FORMAT = "carlos-store 1";

    private static final String FORMAT_FILE = "format";
    private static final String TMP = "tmp";
    private static final String CHANGES = "changes";
    private static final int MAX_FORMAT_BYTES = 1_000;
    private static final int ROOT_MODE = 0700;

    /** What an empty directory may have in it: a file system's root has the former, a first opening cut short the latter. */
    private static final Set<String> NOTHING = Set.of("lost+found", TMP);

    private final Path path;
    private final List<Directory> opened = new ArrayList<>();
    private final Directory objects;
    private final Directory locks;
    private final Directory tmp;
    private final Directory changes;

    /**
     * Opens a store, and makes it first when the directory is absent or empty.
     *
     * @throws IOException also when something else is in the directory, or a store of another format
     */
    StoreLayout(Path path) throws IOException {
        this.path = path.toAbsolutePath().normalize();
        try {
            Directory root = keep(openRoot(this.path));
            refuseForeign(root);
            tmp = keep(root.createDirectories(TMP, OpenDirectories.MODE));
            format(root, tmp);
            objects = keep(root.createDirectories("objects", OpenDirectories.MODE));
            locks = keep(root.createDirectories("locks", OpenDirectories.MODE));
            changes = keep(root.createDirectories(CHANGES, OpenDirectories.MODE));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    Directory objects() {
        return objects;
    }

    Directory locks() {
        return locks;
    }

    Directory tmp() {
        return tmp;
    }

    Directory changes() {
        return changes;
    }

    /** The same by its path, for what Java does by path only. */
    Path changesPath() {
        return path.resolve(CHANGES);
    }

    private Directory keep(Directory directory) {
        opened.add(directory);
        return directory;
    }

    /** The way to the root is the caller's to trust; a part of it that is absent is made for the owner alone. */
    private static Directory openRoot(Path path) throws IOException {
        Path existing = path;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!existing.equals(path)) {
            try (Directory ancestor = Directory.open(existing)) {
                ancestor.createDirectories(existing.relativize(path).toString(), ROOT_MODE)
                        .close();
            }
        }
        return Directory.open(path);
    }

    private static void refuseForeign(Directory root) throws IOException {
        List<String> names = root.list();
        boolean empty = NOTHING.containsAll(names);
        // A listing is not of one moment: of a store that another process just makes it may show all but the mark.
        if (!empty && root.status(FORMAT_FILE).isEmpty()) {
            String found = names.stream().sorted().limit(5).collect(Collectors.joining(", "));
            throw new IOException(root + ": holds other files (" + printable(found)
                    + ") and no store; expected a store, or an empty or absent directory to make one in");
        }
    }

    private static void format(Directory root, Directory tmp) throws IOException {
        if (root.status(FORMAT_FILE).isEmpty()) {
            writeFormat(root, tmp);
        }
        String found;
        try (LinuxFile file = root.openFile(FORMAT_FILE)) {
            found = new String(file.readAll(MAX_FORMAT_BYTES), StandardCharsets.UTF_8).strip();
        }
        if (!found.equals(FORMAT)) {
            throw new IOException(root + "/" + FORMAT_FILE + ": expected \"" + FORMAT + "\", found \""
                    + printable(found) + "\": this version cannot use a store of that format");
        }
    }

    /** Of several processes that make a store at once one wins, and the others find what it wrote, whole. */
    private static void writeFormat(Directory root, Directory tmp) throws IOException {
        byte[] line = (FORMAT + "\n").getBytes(StandardCharsets.UTF_8);
        try (TempFiles temporary = new TempFiles(tmp, WriteObserver.NONE);
                TempFiles.Staged staged = temporary.stage(line)) {
            staged.linkTo(root, FORMAT_FILE);
        } catch (LinuxException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
        }
        root.sync();
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    @Override
    public void close() throws IOException {
        for (Directory directory : opened) {
            directory.close();
        }
    }
}
