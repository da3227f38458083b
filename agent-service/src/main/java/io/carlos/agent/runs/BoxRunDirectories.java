package io.carlos.agent.runs;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.runs.InputFile;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Run directories below the instances' data directories of a box, with input files from the store. */
public final class BoxRunDirectories implements RunDirectories {
    private static final Logger log = LoggerFactory.getLogger(BoxRunDirectories.class);
    private static final int DATA_MODE = 0700;

    private final Path instances;
    private final ObjectStore store;
    private final LeftoverKiller leftovers;

    /** Ends whatever commands an earlier agent of the box has left; returns when nothing of them runs. */
    @FunctionalInterface
    public interface LeftoverKiller {
        void kill() throws IOException, InterruptedException;
    }

    /**
     * @param data the box's data directory; the instances' are in its {@code instances}, which exists
     * @param leftovers done before anything is swept: a command that still ran could write to what was
     */
    public BoxRunDirectories(Path data, ObjectStore store, LeftoverKiller leftovers) {
        this.instances = data.resolve("instances");
        this.store = store;
        this.leftovers = leftovers;
    }

    @Override
    public Path instanceData(Host host) {
        return instances.resolve(InstanceId.of(host).value());
    }

    @Override
    public Path stage(RunRequest request) throws StagingRefusedException, IOException {
        List<StagedInput> inputs =
                request.files().stream().map(file -> input(request, file)).toList();
        try (Directory all = Directory.open(instances);
                Directory data = openData(all, request.host())) {
            new Staging(data).stage(request.id(), inputs);
        }
        return Staging.directory(instanceData(request.host()), request.id());
    }

    private StagedInput input(RunRequest request, InputFile file) {
        ObjectKey key = request.keys().input(file.name());
        return new StagedInput(
                file,
                () -> store.get(key)
                        .orElseThrow(() ->
                                new StagingRefusedException("the input file " + file.name() + " is not in the store"))
                        .value());
    }

    private static Directory openData(Directory all, Host host) throws IOException {
        return all.createDirectories(InstanceId.of(host).value(), DATA_MODE);
    }

    @Override
    public void remove(Host host, RunId id) throws IOException {
        try (Directory all = Directory.open(instances);
                Directory data = all.openDirectory(InstanceId.of(host).value())) {
            new Staging(data).remove(id);
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    @Override
    public void sweep() throws IOException, InterruptedException {
        leftovers.kill();
        Map<String, IOException> left = Staging.sweep(instances);
        // Another run's directory has another name, so what could not be removed is in nobody's way.
        left.forEach((instance, e) ->
                log.error("boot: run directories not removed: instance={} cause={}", instance, e.getMessage()));
    }
}
