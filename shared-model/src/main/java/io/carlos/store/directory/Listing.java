package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One listing: a walk through the directories in the order of keys, which goes into a directory only if keys that are
 * asked for can be in it and ends with the last row. Names that no key leads to are passed over.
 */
final class Listing {
    private final StoredFiles files;
    private final String prefix;
    private final String startAfter;
    private final int limit;
    private final List<ListedObject> rows = new ArrayList<>();

    Listing(StoredFiles files, String prefix, String startAfter, int limit) {
        this.files = files;
        this.prefix = prefix;
        this.startAfter = startAfter;
        this.limit = limit;
    }

    List<ListedObject> of(Directory objects) throws IOException {
        walk(objects, "");
        return rows;
    }

    /** @param path of the directory: empty, or with a slash at its end, so that it begins every key in it */
    private void walk(Directory directory, String path) throws IOException {
        for (Entry entry : entries(directory, path)) {
            if (rows.size() == limit) {
                return;
            }
            if (!entry.isDirectory()) {
                addRow(directory, entry);
            } else if (mayHold(entry.key())) {
                walkInto(directory, entry);
            }
        }
    }

    private void addRow(Directory directory, Entry entry) throws IOException {
        if (entry.key().startsWith(prefix) && entry.key().compareTo(startAfter) > 0) {
            files.row(ObjectKey.of(entry.key()), directory, entry.name()).ifPresent(rows::add);
        }
    }

    /** Whether a key that begins so can begin with the prefix and come after the start. */
    private boolean mayHold(String path) {
        boolean hasPrefix = path.startsWith(prefix) || prefix.startsWith(path);
        boolean hasLater = path.compareTo(startAfter) > 0 || startAfter.startsWith(path);
        return hasPrefix && hasLater;
    }

    private void walkInto(Directory parent, Entry entry) throws IOException {
        Directory directory;
        try {
            directory = parent.openDirectory(entry.name());
        } catch (LinuxException e) {
            // It was removed, empty, since its name was read; or a stray file has the name.
            if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR)) {
                return;
            }
            throw e;
        }
        try (directory) {
            walk(directory, entry.key());
        }
    }

    /** What keys lead to or through in a directory, in the order of these keys. */
    private List<Entry> entries(Directory directory, String path) throws IOException {
        List<Entry> entries = new ArrayList<>();
        int slash = prefix.startsWith(path) ? prefix.indexOf('/', path.length()) : -1;
        if (slash >= 0) {
            // The prefix names the only directory to go into, so nothing needs to be read here.
            String name = prefix.substring(path.length(), slash);
            entries.add(new Entry(name, path + name + "/"));
        } else {
            directory.list().forEach(name -> entries.add(entry(path, name)));
        }
        entries.removeIf(entry -> !leadsTo(entry, path));
        // A directory's key ends in its slash, so a- and a. come before what is in a, as they should, and a0 after it.
        entries.sort(Comparator.comparing(Entry::key));
        return entries;
    }

    private static Entry entry(String path, String name) {
        if (name.equals(ObjectPath.OWN_FILE)) {
            return new Entry(name, path.substring(0, Math.max(0, path.length() - 1)));
        }
        boolean file = name.indexOf(ObjectPath.MARK) == name.length() - 1;
        return new Entry(name, path + (file ? name.substring(0, name.length() - 1) : name + "/"));
    }

    /** Whether the entry is where a key's value or a directory of keys would be; anything may lie around here. */
    private static boolean leadsTo(Entry entry, String path) {
        if (entry.isDirectory()) {
            return ObjectKey.isKey(path + entry.name());
        }
        return ObjectKey.isKey(entry.key())
                && ObjectPath.of(ObjectKey.of(entry.key())).whole().equals(path + entry.name());
    }

    /** @param key the whole key of a file; for a directory what all keys in it begin with, which ends in a slash */
    private record Entry(String name, String key) {
        boolean isDirectory() {
            return key.endsWith("/");
        }
    }
}
