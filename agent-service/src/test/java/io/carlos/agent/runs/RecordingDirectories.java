package io.carlos.agent.runs;

import io.carlos.model.names.Host;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Run directories that are only names; each call is entered in the journal. */
public final class RecordingDirectories implements RunDirectories {
    private final List<String> journal;
    private final Set<RunId> present = new HashSet<>();
    private int failingCalls;
    private Staging beforeStage = () -> {};
    private Staging beforePlace = () -> {};

    public RecordingDirectories(List<String> journal) {
        this.journal = journal;
    }

    /** What happens while a run is being staged. */
    @FunctionalInterface
    interface Staging {
        void run() throws StagingRefusedException, IOException;
    }

    void whilePlacing(Staging told) {
        beforePlace = told;
    }

    void whileStaging(Staging told) {
        beforeStage = told;
    }

    /** The next calls fail as a full disk does. */
    public void failCalls(int count) {
        failingCalls = count;
    }

    Set<RunId> present() {
        return present;
    }

    @Override
    public Path instanceData(Host host) {
        return Path.of("/data/instances", host.value());
    }

    @Override
    public void makePlace(RunRequest request) throws StagingRefusedException {
        try {
            beforePlace.run();
        } catch (IOException e) {
            throw new AssertionError("a place is refused, or is there", e);
        }
    }

    @Override
    public Path stage(RunRequest request) throws StagingRefusedException, IOException {
        journal.add("stage");
        failIfTold();
        beforeStage.run();
        present.add(request.id());
        return instanceData(request.host())
                .resolve(".carlos-run")
                .resolve(request.id().value());
    }

    @Override
    public void remove(Host host, RunId id) throws IOException {
        journal.add("remove");
        failIfTold();
        present.remove(id);
    }

    @Override
    public void sweep() throws IOException {
        journal.add("sweep");
        failIfTold();
        present.clear();
    }

    private void failIfTold() throws IOException {
        if (failingCalls > 0) {
            failingCalls--;
            throw new IOException("told to fail");
        }
    }
}
