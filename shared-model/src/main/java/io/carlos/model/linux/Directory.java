package io.carlos.model.linux;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An open directory, and everything beneath it. Paths are relative: names joined by single slashes, none of them empty,
 * {@code .} or {@code ..} ({@link InvalidPathException} else). No symbolic link is followed anywhere in them, the last
 * name included, and nothing a neighbour renames meanwhile leads outside.
 *
 * <p>Names are texts in UTF-8; a byte of a name that is no UTF-8 is the lone surrogate U+DC00 + byte, so every name that
 * {@link #list} gives can be used again.
 *
 * <p>Every call throws {@link LinuxException} when the kernel refuses it: {@code ELOOP} for a link on the way. Modes are less the process's umask. Threads may share a directory and close it at any time: calls under way
 * finish, later ones get an {@link IllegalStateException}.
 */
public final class Directory implements AutoCloseable {
    private final Descriptor descriptor;

    private Directory(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Opens a directory that the caller trusts the way to: links in this path are followed. */
    public static Directory open(Path path) throws LinuxException {
        String text = path.toAbsolutePath().toString();
        return new Directory(Descriptor.open(Libc.AT_FDCWD, text, OpenHow.TRUSTED_DIRECTORY, text));
    }

    /** The path this directory was opened by, for messages; it may have been renamed since. */
    public String shownPath() {
        return descriptor.subject();
    }

    public Directory openDirectory(String path) throws LinuxException {
        return new Directory(openBeneath(path, OpenHow.DIRECTORY));
    }

    /**
     * Opens an existing file for reading, at once also when somebody put a fifo there.
     *
     * @throws WrongFileTypeException when it is no regular file
     */
    public LinuxFile openFile(String path) throws IOException {
        return LinuxFile.regular(openBeneath(path, OpenHow.EXISTING_FILE));
    }

    /** Creates a file that nothing stood in the place of, open for reading and writing; {@code EEXIST} else. */
    public LinuxFile createFile(String path, int mode) throws IOException {
        return LinuxFile.regular(openBeneath(path, OpenHow.newFile(mode)));
    }

    /**
     * Opens a file for reading and writing, creating it empty when it is absent: for lock files.
     *
     * @throws WrongFileTypeException when it is there and no regular file
     */
    public LinuxFile openOrCreateFile(String path, int mode) throws IOException {
        return LinuxFile.regular(openBeneath(path, OpenHow.newOrExistingFile(mode)));
    }

    /** Creates one directory; {@code EEXIST} when anything stands there. It lasts once this directory is synced. */
    public void createDirectory(String path, int mode) throws LinuxException {
        try (Place place = place(path)) {
            Libc.check("mkdirat", place.shown(), () -> Libc.mkdirat(place.directory(), place.name(), mode));
        }
    }

    /**
     * Opens a directory, creating it and those on the way to it when they are absent; created ones are durable.
     * Directories that exist keep their mode. Anything else in the way is refused.
     */
    public Directory createDirectories(String path, int mode) throws LinuxException {
        Directory current = this;
        for (String name : new RelativePath(path).names()) {
            Directory parent = current;
            try {
                current = parent.openOrCreateDirectory(name, mode);
            } finally {
                if (parent != this) {
                    parent.close();
                }
            }
        }
        return current;
    }

    private Directory openOrCreateDirectory(String name, int mode) throws LinuxException {
        try {
            createDirectory(name, mode);
            sync();
        } catch (LinuxException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
        }
        return openDirectory(name);
    }

    /** Renames, replacing a file, or an empty directory by a directory, in the new place. */
    public void rename(String path, Directory newDirectory, String newPath) throws LinuxException {
        rename(path, newDirectory, newPath, 0);
    }

    /** Renames to a place where nothing stands; {@code EEXIST} else. */
    public void renameToNew(String path, Directory newDirectory, String newPath) throws LinuxException {
        rename(path, newDirectory, newPath, Libc.RENAME_NOREPLACE);
    }

    private void rename(String path, Directory newDirectory, String newPath, int flags) throws LinuxException {
        try (Place from = place(path);
                Place to = newDirectory.place(newPath)) {
            Libc.check(
                    "renameat2",
                    from.shown() + " to " + to.shown(),
                    () -> Libc.renameat2(from.directory(), from.name(), to.directory(), to.name(), flags));
        }
    }

    /** Gives a file a further name where nothing stands; {@code EEXIST} else. */
    public void link(String path, Directory newDirectory, String newPath) throws LinuxException {
        try (Place from = place(path);
                Place to = newDirectory.place(newPath)) {
            Libc.check(
                    "linkat",
                    from.shown() + " to " + to.shown(),
                    () -> Libc.linkat(from.directory(), from.name(), to.directory(), to.name(), 0));
        }
    }

    /** Removes one name of anything but a directory ({@code EISDIR}). */
    public void unlink(String path) throws LinuxException {
        unlink(path, 0);
    }

    /** Removes an empty directory; {@code ENOTEMPTY}, {@code ENOTDIR}, or {@code EBUSY} for a mount point. */
    public void removeDirectory(String path) throws LinuxException {
        unlink(path, Libc.AT_REMOVEDIR);
    }

    private void unlink(String path, int flags) throws LinuxException {
        try (Place place = place(path)) {
            Libc.check("unlinkat", place.shown(), () -> Libc.unlinkat(place.directory(), place.name(), flags));
        }
    }

    /**
     * Removes what stands at the path with everything beneath it; nothing when it is absent. No link is followed and no
     * mount is crossed, on the way there and inside. Directories of the caller that lack permissions are given them.
     * What cannot be removed does not keep the rest from being removed. It takes as long as somebody adds new entries
     * faster than they go, so stop those who could first.
     *
     * @throws MountInTreeException when something is mounted inside; everything else is removed
     * @throws LinuxException the first of what could not be removed, with others suppressed in it
     */
    public void removeTree(String path) throws IOException {
        RelativePath relative = new RelativePath(path);
        Descriptor parent;
        try (Descriptor.Use use = descriptor.use()) {
            String parentPath = relative.parent().isEmpty() ? "." : relative.parent();
            String shown = relative.parent().isEmpty() ? shownPath() : shown(relative.parent());
            parent = Descriptor.open(use.number(), parentPath, OpenHow.DIRECTORY_HANDLE.onSameMount(), shown);
        } catch (LinuxException e) {
            if (e.is(Errno.ENOENT)) {
                return;
            }
            throw e;
        }
        TreeRemoval.remove(parent, relative.name());
    }

    /** Makes the names in this directory durable. */
    public void sync() throws LinuxException {
        try (Descriptor.Use use = descriptor.use()) {
            Libc.check("fsync", shownPath(), () -> Libc.fsync(use.number()));
        }
    }

    /** The names in this directory, in no order. */
    public List<String> list() throws LinuxException {
        try (Descriptor.Use use = descriptor.use();
                Descriptor own = Descriptor.open(use.number(), ".", OpenHow.DIRECTORY, shownPath())) {
            return DirectoryEntries.all(own);
        }
    }

    /** Sets the permission bits of this directory, whatever the umask; {@code EPERM} when it is somebody else's. */
    public void setMode(int mode) throws LinuxException {
        try (Descriptor.Use use = descriptor.use()) {
            Libc.check("fchmod", shownPath(), () -> Libc.fchmod(use.number(), mode));
        }
    }

    public FileStatus status() throws LinuxException {
        return descriptor.status();
    }

    /** What stands at the path, itself when it is a link; empty when nothing does. */
    public Optional<FileStatus> status(String path) throws LinuxException {
        try (Place place = place(path)) {
            return Optional.of(
                    FileStatus.read(place.directory(), place.name(), Libc.AT_SYMLINK_NOFOLLOW, place.shown()));
        } catch (LinuxException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void close() throws LinuxException {
        descriptor.close();
    }

    @Override
    public String toString() {
        return Printable.of(shownPath());
    }

    private Descriptor openBeneath(String path, OpenHow how) throws LinuxException {
        new RelativePath(path);
        try (Descriptor.Use use = descriptor.use()) {
            return Descriptor.open(use.number(), path, how, shown(path));
        }
    }

    private String shown(String path) {
        return shownPath() + "/" + path;
    }

    private Place place(String path) throws LinuxException {
        RelativePath relative = new RelativePath(path);
        byte[] name = FileNames.terminated(relative.name());
        if (relative.parent().isEmpty()) {
            return new Place(descriptor.use(), name, shown(path));
        }
        // A descriptor closed here stays open until its use ends.
        try (Descriptor parent = openBeneath(relative.parent(), OpenHow.DIRECTORY_HANDLE)) {
            return new Place(parent.use(), name, shown(path));
        }
    }

    /** A name in an open directory: what the calls without resolve flags of their own are safe with. */
    private record Place(Descriptor.Use parent, byte[] name, String shown) implements AutoCloseable {
        int directory() {
            return parent.number();
        }

        @Override
        public void close() throws LinuxException {
            parent.close();
        }
    }
}
