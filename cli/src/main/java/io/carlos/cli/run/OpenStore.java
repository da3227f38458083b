package io.carlos.cli.run;

import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.StoreException;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;

/** A store, and everything that is done with it from a command line. */
final class OpenStore implements AutoCloseable {
    private static final Duration MAX_POLL = Duration.ofMillis(100);

    private final Path root;
    private final DirectoryObjectStore store;
    private final Scheduler scheduler = new SystemScheduler();
    private final SecureRandom random = new SecureRandom();
    private final RecordStore records;

    OpenStore(Path root, DirectoryObjectStore store) {
        this.root = root;
        this.store = store;
        this.records = new RecordStore(store, scheduler, random);
    }

    Path root() {
        return root;
    }

    DirectoryObjectStore objects() {
        return store;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    SecureRandom random() {
        return random;
    }

    RecordStore records() {
        return records;
    }

    RunSubmitter submitter() {
        return new RunSubmitter(store, records, scheduler, random);
    }

    RunFollower follower() {
        return new RunFollower(store, records, scheduler, MAX_POLL);
    }

    RunCloser closer() {
        return new RunCloser(store, records, scheduler);
    }

    /** Tells the boxes of a region that a run has changed; failing costs time only. */
    void bump(String region) {
        try {
            new ChangeMarker(store, region).bump(random);
        } catch (StoreException e) {
            // They find it by their next pass.
        }
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
