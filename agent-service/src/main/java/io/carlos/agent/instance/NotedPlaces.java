package io.carlos.agent.instance;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.runs.BoxRunDirectories;
import io.carlos.agent.runs.StagingRefusedException;
import io.carlos.model.linux.Directory;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.runs.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose data is in a host's directory, on a box that only executes runs and so has no rows: a note of the owner is written
 * before the directory is made, and no other incarnation's run is executed on it.
 */
public final class NotedPlaces implements BoxRunDirectories.Places, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NotedPlaces.class);

    private static final int DATA_MODE = 0700;

    private final Path instances;
    private final OwnerNotes notes;
    private final ReentrantLock making = new ReentrantLock();

    private NotedPlaces(Path instances, OwnerNotes notes) {
        this.instances = instances;
        this.notes = notes;
    }

    /** @param data the box's data directory; the instances' are in its {@code instances} */
    public static NotedPlaces open(Path data) throws IOException {
        try (Directory root = Directory.open(data)) {
            return new NotedPlaces(data.resolve("instances"), OwnerNotes.open(root));
        }
    }

    @Override
    public void make(RunRequest request) throws StagingRefusedException {
        Host host = request.host();
        making.lock();
        try (Directory all = Directory.open(instances)) {
            String directory = InstanceId.of(host).value();
            if (all.status(directory).isEmpty()) {
                notes.keep(OwnerNote.ofRunsAlone(request.recordRef(), request.incarnation()));
                all.createDirectories(directory, DATA_MODE).close();
                return;
            }
            Optional<String> objection = objection(request);
            if (objection.isPresent()) {
                // It may name another's record, which is nothing for the member who asked.
                log.error("runs: {}: {}", host, objection.get());
                throw new StagingRefusedException(LaunchOutcome.Reason.CLAIM, InstancePlaces.notHere(host));
            }
        } catch (IOException e) {
            throw new StagingRefusedException(
                    LaunchOutcome.Reason.FLAT, host + " has no place on this box: " + e.getMessage());
        } finally {
            making.unlock();
        }
    }

    private Optional<String> objection(RunRequest request) throws IOException {
        Optional<OwnerNote> owner = notes.find(request.host());
        if (owner.isEmpty()) {
            return Optional.of(RowDecision.nobodys(Optional.empty()));
        }
        return owner.filter(note -> !note.incarnation().equals(request.incarnation()))
                .map(note -> RowDecision.anothers(note.record()));
    }

    @Override
    public void close() throws IOException {
        notes.close();
    }
}
