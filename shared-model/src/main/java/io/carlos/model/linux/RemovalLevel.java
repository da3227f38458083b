package io.carlos.model.linux;

import io.carlos.model.linux.DirectoryEntries.Entry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One directory on the way down a tree that is removed, and how far it was scanned. Closed for now, it remembers only
 * its name and what is to stay in it; opened again, it is scanned from the start, which meets just what is left.
 */
final class RemovalLevel {
    private static final int MAX_TRIES = 1_000;
    private static final int OWNER_ALL = 0700;

    private final String name;
    private final Deque<Entry> pending = new ArrayDeque<>();
    private Set<String> kept = Set.of();
    private int triesLeft = MAX_TRIES;
    private @Nullable Descriptor directory;
    private @Nullable DirectoryEntries entries;

    private RemovalLevel(String name) {
        this.name = name;
    }

    /** The level above a tree: it is not scanned, nor removed. */
    static RemovalLevel above(Descriptor parent, String tree) {
        RemovalLevel level = new RemovalLevel("");
        level.directory = parent;
        level.pending.add(new Entry(tree, true));
        return level;
    }

    String name() {
        return name;
    }

    boolean isOpen() {
        return directory != null;
    }

    /** The level of a directory in this one. */
    RemovalLevel enter(String child) throws LinuxException {
        RemovalLevel level = new RemovalLevel(child);
        level.reopen(this, child);
        return level;
    }

    /** @param path leads here from the level above */
    void reopen(RemovalLevel above, String path) throws LinuxException {
        Descriptor opened = above.openScannable(path);
        directory = opened;
        entries = new DirectoryEntries(opened);
    }

    void closeForNow() throws LinuxException {
        Descriptor closing = directory;
        directory = null;
        entries = null;
        pending.clear();
        if (closing != null) {
            closing.close();
        }
    }

    /** The next entry that is not to stay; null at the end of the scan. */
    @Nullable
    Entry next() throws LinuxException {
        while (true) {
            Entry entry = pending.poll();
            if (entry == null) {
                List<Entry> more = entries == null ? List.of() : entries.next();
                if (more.isEmpty()) {
                    return null;
                }
                pending.addAll(more);
            } else if (!kept.contains(entry.name())) {
                return entry;
            }
        }
    }

    void keep(String child) {
        if (kept.isEmpty()) {
            kept = new HashSet<>();
        }
        kept.add(child);
    }

    boolean hasKept() {
        return !kept.isEmpty();
    }

    /**
     * Puts a name that is there still in front of the other entries. False when that was too often: somebody changes or
     * fills the names in this directory as fast as they are removed.
     */
    boolean tryAgain(Entry entry) {
        if (triesLeft == 0) {
            return false;
        }
        triesLeft--;
        pending.addFirst(entry);
        return true;
    }

    void unlink(String child, boolean asDirectory) throws LinuxException {
        int flags = asDirectory ? Libc.AT_REMOVEDIR : 0;
        byte[] bytes = FileNames.terminated(child);
        try (Descriptor.Use use = use()) {
            Libc.check("unlinkat", child, () -> Libc.unlinkat(use.number(), bytes, flags));
        }
    }

    boolean isMountPoint(String child) throws LinuxException {
        byte[] bytes = FileNames.terminated(child);
        try (Descriptor.Use use = use()) {
            return FileStatus.read(use.number(), bytes, Libc.AT_SYMLINK_NOFOLLOW, child)
                    .mountRoot();
        } catch (LinuxException e) {
            if (e.is(Errno.ENOENT)) {
                return false;
            }
            throw e;
        }
    }

    /** Opens a directory, giving its owner the permissions that listing and emptying it take. */
    private Descriptor openScannable(String path) throws LinuxException {
        Descriptor opened;
        try {
            opened = open(path, OpenHow.DIRECTORY);
        } catch (LinuxException e) {
            if (!e.is(Errno.EACCES)) {
                throw e;
            }
            grantByHandle(path);
            opened = open(path, OpenHow.DIRECTORY);
        }
        try (Descriptor.Use use = opened.use()) {
            int mode = use.status().mode();
            if ((mode & OWNER_ALL) != OWNER_ALL) {
                Libc.check("fchmod", path, () -> Libc.fchmod(use.number(), mode | OWNER_ALL));
            }
        } catch (LinuxException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /** A handle can be had without any permission on the directory; only /proc changes the mode of what it stands for. */
    private void grantByHandle(String path) throws LinuxException {
        try (Descriptor handle = open(path, OpenHow.DIRECTORY_HANDLE);
                Descriptor.Use use = handle.use()) {
            byte[] link = FileNames.terminated("/proc/self/fd/" + use.number());
            Libc.check("chmod", path, () -> Libc.chmod(link, OWNER_ALL));
        }
    }

    private Descriptor open(String path, OpenHow how) throws LinuxException {
        try (Descriptor.Use use = use()) {
            return Descriptor.open(use.number(), path, how.onSameMount(), path);
        }
    }

    private Descriptor.Use use() {
        if (directory == null) {
            throw new IllegalStateException("closed for now: " + Printable.of(name));
        }
        return directory.use();
    }
}
