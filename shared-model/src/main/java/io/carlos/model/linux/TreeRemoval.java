package io.carlos.model.linux;

import io.carlos.model.linux.DirectoryEntries.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes one tree, from the leaves up, while a hostile process may be renaming in it.
 *
 * <p>Each level is opened by its name in the level above, never through a link or onto another mount, so whatever a name
 * stands for at that moment, it is inside the tree. The type in a listing is a hint only: a name is removed as what the
 * kernel then says it is.
 *
 * <p>A tree may be deeper than this process may have descriptors. Only the deepest levels stay open; a closed one that
 * is needed again is opened from the nearest open one above it, which leaves 16 levels evenly spread over that way open
 * for the times to come. So n levels take about 16 log16(n) descriptors and n log16(n) lookups.
 */
final class TreeRemoval implements AutoCloseable {
    private static final int SPREAD = 16;
    private static final int MAX_FAILURES = 16;
    private static final int MAX_PATH_LENGTH = 1_000;
    private static final int MAX_SHOWN_LENGTH = 64 * 1024;

    private final String shownParent;
    private final List<RemovalLevel> levels = new ArrayList<>();
    private final Set<String> mounts = new LinkedHashSet<>();
    private final List<LinuxException> failures = new ArrayList<>();

    private TreeRemoval(Descriptor parent, String name) {
        shownParent = parent.subject();
        levels.add(RemovalLevel.above(parent, name));
    }

    /**
     * Removes what stands under the name, if anything does.
     *
     * @param parent an own descriptor, closed in the end
     * @throws MountInTreeException when something is mounted inside; everything else is removed
     * @throws LinuxException the first of what could not be removed, with others suppressed in it
     */
    static void remove(Descriptor parent, String name) throws IOException {
        try (TreeRemoval removal = new TreeRemoval(parent, name)) {
            removal.run();
            removal.report();
        }
    }

    private void run() throws LinuxException {
        while (true) {
            int deepest = levels.size() - 1;
            if (!reopen(deepest)) {
                continue;
            }
            RemovalLevel level = levels.get(deepest);
            Entry entry = level.next();
            if (entry != null) {
                remove(level, entry.name(), entry.directory());
            } else if (deepest > 0) {
                leave(level, deepest);
            } else {
                return;
            }
        }
    }

    private void remove(RemovalLevel parent, String name, boolean directory) throws LinuxException {
        try {
            parent.unlink(name, directory);
        } catch (LinuxException e) {
            if (e.is(Errno.EISDIR)) {
                // Not a sign of hostility: some file systems list no types.
                remove(parent, name, true);
            } else if (e.is(Errno.ENOTDIR)) {
                tryAgain(name, false, e);
            } else if (e.is(Errno.ENOTEMPTY)) {
                enter(parent, name);
            } else if (!e.is(Errno.ENOENT)) {
                keep(name, e);
            }
        }
    }

    /** What the deepest level listed, or what a level in it was opened by, stands for something else by now. */
    private void tryAgain(String name, boolean directory, LinuxException cause) throws LinuxException {
        if (!levels.getLast().tryAgain(new Entry(name, directory))) {
            keep(name, cause);
        }
    }

    /** Makes a directory the deepest level, or keeps it. */
    private void enter(RemovalLevel parent, String name) throws LinuxException {
        try {
            levels.add(parent.enter(name));
        } catch (LinuxException e) {
            keepUnlessChanged(name, e);
            return;
        }
        int far = levels.size() - 1 - SPREAD;
        if (far > 0) {
            levels.get(far).closeForNow();
        }
    }

    private void keepUnlessChanged(String name, LinuxException e) throws LinuxException {
        if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP)) {
            tryAgain(name, e.is(Errno.ENOENT), e);
        } else {
            keep(name, e);
        }
    }

    /** Removes the deepest level once it has no more entries, or scans it again when some were added meanwhile. */
    private void leave(RemovalLevel level, int depth) throws LinuxException {
        if (level.hasKept()) {
            drop(depth);
            levels.getLast().keep(level.name());
            return;
        }
        if (!reopen(depth - 1)) {
            return;
        }
        RemovalLevel parent = levels.get(depth - 1);
        try {
            parent.unlink(level.name(), true);
            drop(depth);
        } catch (LinuxException e) {
            drop(depth);
            if (e.is(Errno.ENOTEMPTY) || e.is(Errno.ENOTDIR)) {
                tryAgain(level.name(), e.is(Errno.ENOTEMPTY), e);
            } else if (!e.is(Errno.ENOENT)) {
                keep(level.name(), e);
            }
        }
    }

    /**
     * Opens a level that was closed for now. When the names on the way no longer lead there, the levels out of reach are
     * dropped and the answer is false; what stands under those names now is tried again.
     */
    private boolean reopen(int depth) throws LinuxException {
        int open = depth;
        while (!levels.get(open).isOpen()) {
            open--;
        }
        int step = Math.ceilDiv(depth - open, SPREAD);
        while (open < depth) {
            int next = Math.min(open + step, depth);
            if (!reopen(open, next)) {
                return false;
            }
            open = next;
        }
        return true;
    }

    /** Opens one level from an open one far above it; those in between stay closed. */
    private boolean reopen(int from, int to) throws LinuxException {
        int open = from;
        int maxPathLength = MAX_PATH_LENGTH;
        while (open < to) {
            int next = open;
            StringBuilder path = new StringBuilder();
            do {
                path.append(path.isEmpty() ? "" : "/").append(levels.get(++next).name());
            } while (next < to && path.length() < maxPathLength);
            try {
                levels.get(next).reopen(levels.get(open), path.toString());
            } catch (LinuxException e) {
                if (next > open + 1) {
                    // Name by name from here on, to learn which one it is.
                    maxPathLength = 0;
                    continue;
                }
                String name = levels.get(next).name();
                drop(next);
                keepUnlessChanged(name, e);
                return false;
            }
            if (open > from) {
                levels.get(open).closeForNow();
            }
            open = next;
        }
        return true;
    }

    /** Leaves a name of the deepest level where it is, and remembers why. */
    private void keep(String name, LinuxException cause) throws LinuxException {
        RemovalLevel level = levels.getLast();
        level.keep(name);
        if (cause.is(Errno.EXDEV) || (cause.is(Errno.EBUSY) && level.isMountPoint(name))) {
            mounts.add(shown(name));
        } else if (failures.size() < MAX_FAILURES) {
            failures.add(new LinuxException(cause.call(), shown(name), cause.errno()));
        }
    }

    private String shown(String name) {
        StringBuilder path = new StringBuilder(shownParent);
        for (RemovalLevel level : levels.subList(1, levels.size())) {
            if (path.length() > MAX_SHOWN_LENGTH) {
                return path.append("/...").toString();
            }
            path.append('/').append(level.name());
        }
        return path.append('/').append(name).toString();
    }

    private void drop(int depth) throws LinuxException {
        while (levels.size() > depth) {
            levels.removeLast().closeForNow();
        }
    }

    private void report() throws IOException {
        IOException report = mounts.isEmpty() ? null : new MountInTreeException(List.copyOf(mounts));
        for (LinuxException failure : failures) {
            if (report == null) {
                report = failure;
            } else {
                report.addSuppressed(failure);
            }
        }
        if (report != null) {
            throw report;
        }
    }

    @Override
    public void close() throws LinuxException {
        drop(0);
    }
}
