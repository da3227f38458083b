package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.FileStatus;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.text.Sha256Hex;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoredObject;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The reading side. A file is never written to once it is in its place, so whatever an opened one holds is one whole
 * value, and its etag holds for as long as the file is that file.
 */
final class StoredFiles {
    private final Directory objects;
    private final EtagCache etags;
    private final InstantSource clock;
    private final AtomicLong hashed = new AtomicLong();

    StoredFiles(Directory objects, EtagCache etags, InstantSource clock) {
        this.objects = objects;
        this.etags = etags;
        this.clock = clock;
    }

    Optional<StoredObject> read(ObjectKey key) throws IOException {
        return unlessAbsent(() -> {
            try (LinuxFile file = objects.openFile(ObjectPath.of(key).whole())) {
                Instant lookedAt = clock.instant();
                FileStatus status = file.status();
                byte[] value = file.readAll(ObjectStore.MAX_VALUE_BYTES);
                Optional<String> known = etags.find(status);
                String etag = known.isPresent() ? known.get() : hash(value, status, lookedAt);
                return new StoredObject(key, value, etag, status.modified());
            }
        });
    }

    ConditionalRead readUnlessMatch(ObjectKey key, String knownEtag) throws IOException {
        Optional<String> cached = objects.status(ObjectPath.of(key).whole()).flatMap(etags::find);
        if (cached.isPresent() && cached.get().equals(knownEtag)) {
            return new ConditionalRead.Unchanged();
        }
        Optional<StoredObject> found = read(key);
        if (found.isEmpty()) {
            return new ConditionalRead.Absent();
        }
        return found.get().etag().equals(knownEtag)
                ? new ConditionalRead.Unchanged()
                : new ConditionalRead.Changed(found.get());
    }

    boolean exists(ObjectKey key) throws IOException {
        return objects.status(ObjectPath.of(key).whole()).isPresent();
    }

    Optional<String> etag(ObjectKey key) throws IOException {
        return row(key, objects, ObjectPath.of(key).whole()).map(ListedObject::etag);
    }

    /** The row of a listing, without reading the value when its etag is known; empty when there is no value any more. */
    Optional<ListedObject> row(ObjectKey key, Directory directory, String file) throws IOException {
        Optional<FileStatus> status = directory.status(file);
        if (status.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> known = etags.find(status.get());
        if (known.isPresent()) {
            return Optional.of(row(key, known.get(), status.get()));
        }
        return unlessAbsent(() -> {
            try (LinuxFile opened = directory.openFile(file)) {
                Instant lookedAt = clock.instant();
                FileStatus found = opened.status();
                return row(key, hash(opened.readAll(ObjectStore.MAX_VALUE_BYTES), found, lookedAt), found);
            }
        });
    }

    /** How many values were read to find their etags. */
    long hashed() {
        return hashed.get();
    }

    private String hash(byte[] value, FileStatus status, Instant lookedAt) {
        hashed.incrementAndGet();
        String etag = Sha256Hex.of(value);
        etags.remember(status, lookedAt, etag);
        return etag;
    }

    private static ListedObject row(ObjectKey key, String etag, FileStatus status) {
        return new ListedObject(key, etag, status.size(), status.modified());
    }

    private static <T> Optional<T> unlessAbsent(DiskCall<T> call) throws IOException {
        try {
            return Optional.of(call.call());
        } catch (LinuxException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
