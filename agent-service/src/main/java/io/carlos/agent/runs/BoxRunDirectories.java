package io.carlos.agent.runs;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.runs.InputFile;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoredObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The run directories beneath the instances' data directories of this box, with the input files from the store. */
public final class BoxRunDirectories implements RunDirectories {
    private static final Logger log = LoggerFactory.getLogger(BoxRunDirectories.class);
    private static final int INSTANCE_MODE = 0700;

    /** Kills what is left of commands from before the agent's start. */
    @FunctionalInterface
    public interface LeftoverKiller {
        void kill() throws IOException, InterruptedException;
    }

    private final Path instances;
    private final ObjectStore store;
    private final LeftoverKiller leftovers;

    /** @param data the box's data root, which {@code instances} is in */
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
        List<StagedInput> inputs = request.files().stream()
                .map(file -> new StagedInput(file, () -> fetch(request.keys(), file)))
                .toList();
        String instance = InstanceId.of(request.host()).value();
        try (Directory directory = Directory.open(instances);
                Directory data = directory.createDirectories(instance, INSTANCE_MODE)) {
            new Staging(data).stage(request.id(), inputs);
        }
        return Staging.directory(instanceData(request.host()), request.id());
    }

    @Override
    public void remove(Host host, RunId id) throws IOException {
        try (Directory directory = Directory.open(instances);
                Directory data = directory.openDirectory(InstanceId.of(host).value())) {
            new Staging(data).remove(id);
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOENT)) {
                throw e;
            }
        }
    }

    /** Processes go first, since they could make new files. What a tenant made impossible to remove is logged and stays. */
    @Override
    public void sweep() throws IOException, InterruptedException {
        leftovers.kill();
        Staging.sweep(instances)
                .forEach((instance, cause) -> log.error(
                        "sweep: run directories not removed: instance={} cause={}", instance, cause.getMessage()));
    }

    private byte[] fetch(RunKeys keys, InputFile file) throws StagingRefusedException {
        return store.get(keys.input(file.name()))
                .map(StoredObject::value)
                .orElseThrow(() -> new StagingRefusedException("the input file " + file.name() + " is not stored"));
    }
}
