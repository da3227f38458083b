package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * New values on their way to their places. Each open store has a directory of its own for them, {@code <pid>-<random>},
 * and holds a lock on the file {@code <pid>-<random>.lock} beside it for as long as it lives. So a directory whose lock
 * is free was left behind by a dead process, and {@link #recover} removes it; one that is locked is never touched.
 */
final class TempFiles implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TempFiles.class);
    private static final int FILE_MODE = 0660;
    private static final int PIECE_LENGTH = 1024 * 1024;
    private static final String LOCK_SUFFIX = ".lock";
    private static final Pattern OWNER = Pattern.compile("[0-9]+-[0-9a-f]{16}");

    private final Directory tmp;
    private final WriteObserver observer;
    private final AtomicLong counter = new AtomicLong();
    private final List<Owner> losses = new ArrayList<>();
    private volatile Owner owner;

    TempFiles(Directory tmp, WriteObserver observer) throws IOException {
        this.tmp = tmp;
        this.observer = observer;
        this.owner = claim();
    }

    /** Writes a value into a new file and makes its content durable. */
    Staged stage(byte[] value) throws IOException {
        Owner current = owner;
        try {
            return stage(value, current);
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
            // Somebody cleans up directories named tmp.
            return stage(value, replace(current));
        }
    }

    private Staged stage(byte[] value, Owner current) throws IOException {
        String name = Long.toString(counter.getAndIncrement());
        try (LinuxFile file = current.directory.createFile(name, FILE_MODE)) {
            Staged staged = new Staged(current.directory, name);
            try {
                observer.passed(WriteStep.TEMP_CREATED);
                write(value, file);
                file.sync();
            } catch (IOException | RuntimeException e) {
                staged.close();
                throw e;
            }
            observer.passed(WriteStep.TEMP_SYNCED);
            return staged;
        }
    }

    private void write(byte[] value, LinuxFile file) throws IOException {
        for (int offset = 0; offset < value.length; offset += PIECE_LENGTH) {
            file.write(value, offset, Math.min(PIECE_LENGTH, value.length - offset));
            observer.passed(WriteStep.TEMP_PIECE_WRITTEN);
        }
    }

    private synchronized Owner replace(Owner lost) throws IOException {
        if (owner == lost) {
            owner = claim();
            // Closed at the end only, since other threads may still be about to find that it is lost.
            losses.add(lost);
        }
        return owner;
    }

    private Owner claim() throws IOException {
        while (true) {
            String random =
                    HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
            String name = ProcessHandle.current().pid() + "-" + random;
            LinuxFile lock = tmp.createFile(name + LOCK_SUFFIX, FILE_MODE);
            try {
                // Another process that recovers right now may have locked the new file first, and then removes it.
                if (lock.tryLock() && lock.status().links() > 0) {
                    tmp.createDirectory(name, OpenDirectories.MODE);
                    return new Owner(name, lock, tmp.openDirectory(name));
                }
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
            lock.close();
        }
    }

    /** Removes what dead processes have left behind; what cannot be removed only takes space, and is logged. */
    void recover() throws IOException {
        for (String name : tmp.list()) {
            String id = name.endsWith(LOCK_SUFFIX) ? name.substring(0, name.length() - LOCK_SUFFIX.length()) : name;
            if (OWNER.matcher(id).matches()) {
                try {
                    recover(id);
                } catch (IOException e) {
                    log.warn("recover: {}: temporary files of a process that is gone stay: {}", id, e.getMessage());
                }
            }
        }
    }

    private void recover(String id) throws IOException {
        try (LinuxFile lock = tmp.openFile(id + LOCK_SUFFIX)) {
            if (lock.tryLock() && lock.status().links() > 0) {
                remove(id);
                log.info("recover: {}: removed the temporary files of a process that is gone", id);
            }
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
            // The lock is made before its directory and removed after it, so nobody can own this one.
            unlessAbsent(() -> removeDirectory(id));
        }
    }

    private void remove(String id) throws IOException {
        unlessAbsent(() -> removeDirectory(id));
        unlessAbsent(() -> tmp.unlink(id + LOCK_SUFFIX));
    }

    private void removeDirectory(String id) throws IOException {
        try (Directory directory = tmp.openDirectory(id)) {
            for (String name : directory.list()) {
                directory.unlink(name);
            }
        }
        tmp.removeDirectory(id);
    }

    /** Others may be removing the same. */
    private static void unlessAbsent(Removal removal) throws IOException {
        try {
            removal.remove();
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    /** What removes something that may be gone already. */
    @FunctionalInterface
    private interface Removal {
        void remove() throws IOException;
    }

    @Override
    public void close() throws IOException {
        for (Owner lost : losses) {
            lost.close();
        }
        remove(owner.name);
        owner.close();
    }

    private record Owner(String name, LinuxFile lock, Directory directory) {
        void close() throws IOException {
            directory.close();
            lock.close();
        }
    }

    /** A whole and durable value under a temporary name, which goes when this is closed. */
    static final class Staged implements AutoCloseable {
        private final Directory directory;
        private final String name;
        private boolean moved;

        private Staged(Directory directory, String name) {
            this.directory = directory;
            this.name = name;
        }

        /** Gives the value a name where nothing stands; {@code EEXIST} else. */
        void linkTo(Directory target, String targetName) throws LinuxException {
            directory.link(name, target, targetName);
        }

        /** Puts the value in the place of whatever is there. */
        void moveTo(Directory target, String targetName) throws LinuxException {
            directory.rename(name, target, targetName);
            moved = true;
        }

        /** What cannot be removed now is recovered later, and does not make a finished write fail. */
        @Override
        public void close() {
            if (moved) {
                return;
            }
            try {
                directory.unlink(name);
            } catch (LinuxException e) {
                log.warn("remove temporary file: {}: {}", name, e.getMessage());
            }
        }
    }
}
