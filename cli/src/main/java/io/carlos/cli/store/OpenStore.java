package io.carlos.cli.store;

import io.carlos.agent.local.LocalBoxes;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.ObjectStore;
import io.carlos.store.OpenedStore;
import io.carlos.store.PreflightReport;
import io.carlos.store.StoreException;
import io.carlos.store.location.StoreLocation;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;

/** A store, and everything that is done with it from a command line. */
public final class OpenStore implements AutoCloseable {
    /** A directory is asked at no one's cost; each question to a bucket is paid for. */
    private static final Duration MAX_DIRECTORY_POLL = Duration.ofMillis(100);

    private static final Duration MAX_BUCKET_POLL = Duration.ofMillis(500);

    private final StoreLocation location;
    private final OpenedStore opened;
    private final Scheduler scheduler = new SystemScheduler();
    private final SecureRandom random = new SecureRandom();
    private final RecordStore records;

    private OpenStore(StoreLocation location, OpenedStore opened) {
        this.location = location;
        this.opened = opened;
        this.records = new RecordStore(opened.objects(), scheduler, random);
    }

    public static OpenStore at(StoreLocation location) {
        return new OpenStore(location, location.open());
    }

    /** As the user may name it again. */
    public StoreLocation location() {
        return location;
    }

    /** @throws IllegalStateException when the store is none of a directory */
    public Path directory() {
        if (location instanceof StoreLocation.InDirectory(Path root)) {
            return root;
        }
        throw new IllegalStateException(location + " is no directory");
    }

    /** Whether the agents of this machine make instances in it for whoever asks. */
    public boolean hasLocalBoxes() {
        return location instanceof StoreLocation.InDirectory(Path root) && LocalBoxes.areAt(root);
    }

    public ObjectStore objects() {
        return opened.objects();
    }

    public PreflightReport preflight() {
        return opened.preflight();
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public SecureRandom random() {
        return random;
    }

    public RecordStore records() {
        return records;
    }

    public RunSubmitter submitter() {
        return new RunSubmitter(objects(), records, scheduler, random);
    }

    public RunFollower follower() {
        Duration maxPoll = location instanceof StoreLocation.InDirectory ? MAX_DIRECTORY_POLL : MAX_BUCKET_POLL;
        return new RunFollower(objects(), records, scheduler, maxPoll);
    }

    public RunCloser closer() {
        return new RunCloser(objects(), records, scheduler);
    }

    /** Tells the boxes of a region that a run has changed; failing costs time only. */
    public void bump(String region) {
        try {
            new ChangeMarker(objects(), region).bump(random);
        } catch (StoreException e) {
            // They find it by their next pass.
        }
    }

    @Override
    public void close() {
        opened.close();
    }
}
