package io.carlos.agent.instance;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A note of each host's owner, in a directory beside the instances' own, so that it is copied and restored with their data. No tenant
 * sees it. The rows say the same; a note counts where a host has no row, or one that is gone.
 */
final class OwnerNotes implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OwnerNotes.class);

    private static final String DIRECTORY = ".instances/.owners";
    private static final String SUFFIX = ".json";
    private static final int DIRECTORY_MODE = 0700;
    private static final int FILE_MODE = 0600;
    private static final int MAX_BYTES = 16 * 1024;

    private final Directory directory;
    private final Map<Host, OwnerNote> kept = new ConcurrentHashMap<>();

    private OwnerNotes(Directory directory) {
        this.directory = directory;
    }

    /** @param data the box's data directory */
    static OwnerNotes open(Directory data) throws IOException {
        OwnerNotes notes = new OwnerNotes(data.createDirectories(DIRECTORY, DIRECTORY_MODE));
        try {
            notes.directory.setMode(DIRECTORY_MODE);
            notes.removeTemporaryFiles();
            return notes;
        } catch (IOException | RuntimeException e) {
            notes.close();
            throw e;
        }
    }

    private void removeTemporaryFiles() throws IOException {
        for (String name : directory.list()) {
            if (AtomicFile.isTemporary(name)) {
                directory.removeTree(name);
            }
        }
    }

    /**
     * Once it returns, the note says what the row does, and is durable. The note of another incarnation than that of a row that is
     * gone stays: it came with data that was put in the place of the row's, and nothing else says whose that is.
     */
    void keep(InstanceRow row) throws IOException {
        OwnerNote note = OwnerNote.of(row);
        if (row.desired() != Desired.GONE || note.equals(kept.get(row.host())) || !isAnothers(row)) {
            keep(note);
        }
    }

    private boolean isAnothers(InstanceRow row) throws IOException {
        return find(row.host())
                .filter(note -> !note.incarnation().equals(row.incarnation()))
                .isPresent();
    }

    /** Once it returns, the note is there and durable. */
    void keep(OwnerNote note) throws IOException {
        if (!note.equals(kept.get(note.host()))) {
            AtomicFile.write(directory, fileName(note.host()), FILE_MODE, CarlosJson.write(note));
            kept.put(note.host(), note);
        }
    }

    /** As {@link #keep}, of a row that was there before this agent, whose note mostly is as well. */
    void keepOld(InstanceRow row) throws IOException {
        find(row.host()).ifPresent(note -> kept.put(row.host(), note));
        keep(row);
    }

    /**
     * Empty when nothing that can be understood says whose data the host's is.
     *
     * @throws IOException the disk did not say whether something does
     */
    Optional<OwnerNote> find(Host host) throws IOException {
        String name = fileName(host);
        try (LinuxFile file = directory.openFile(name)) {
            OwnerNote note =
                    CarlosJson.read("owner note " + name, file.readAll(MAX_BYTES), OwnerNote.class, OwnerNote.SCHEMA);
            if (!note.host().equals(host)) {
                throw new InvalidDocumentException("owner note " + name, "it is the note of " + note.host());
            }
            return Optional.of(note);
        } catch (InvalidDocumentException e) {
            log.error("instances: owner note not believed: file={} cause={}", name, e.getMessage());
            return Optional.empty();
        } catch (LinuxException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String fileName(Host host) {
        return InstanceId.of(host) + SUFFIX;
    }

    @Override
    public void close() throws IOException {
        directory.close();
    }
}
