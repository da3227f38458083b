package io.carlos.agent.runs;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.runs.InputFile;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** INTERIM. */
public final class BoxRunDirectories implements RunDirectories {
    @FunctionalInterface
    public interface LeftoverKiller {
        void kill() throws IOException, InterruptedException;
    }

    private final Path instances;
    private final ObjectStore store;
    private final LeftoverKiller leftovers;

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
        Path data = instanceData(request.host());
        Files.createDirectories(data);
        try (Directory d = Directory.open(data);
                Directory run =
                        d.createDirectories(".carlos-run/" + request.id().value(), 0700)) {
            for (InputFile f : request.files()) {
                try (LinuxFile file = run.createFile(f.name().value(), 0600)) {
                    file.write(store.get(request.keys().input(f.name()))
                            .orElseThrow()
                            .value());
                }
            }
        }
        return data.resolve(".carlos-run").resolve(request.id().value());
    }

    @Override
    public void remove(Host host, RunId id) throws IOException {
        Path data = instanceData(host);
        if (Files.isDirectory(data)) {
            try (Directory d = Directory.open(data)) {
                d.removeTree(".carlos-run/" + id.value());
            }
        }
    }

    @Override
    public void sweep() throws IOException, InterruptedException {
        leftovers.kill();
    }
}
