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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Run directories below the instances' data directories of a box, with input files from the store. */
public final class BoxRunDirectories implements RunDirectories {
    private static final Logger log = LoggerFactory.getLogger(BoxRunDirectories.class);
    private static final int DATA_MODE = 0700;

    private final Path instances;
    private final ObjectStore store;
    private final LeftoverKiller leftovers;
    private final @Nullable Places places;

    /** Ends whatever commands an earlier agent of the box has left; returns when nothing of them runs. */
    @FunctionalInterface
    public interface LeftoverKiller {
        void kill() throws IOException, InterruptedException;
    }

    /** Makes the data directories of instances, each for the one whose data is to be in it. */
    @FunctionalInterface
    public interface Places {
        /**
         * Returns when the directory is there.
         *
         * @throws StagingRefusedException when it is not, or not this incarnation's
         */
        void make(RunRequest request) throws StagingRefusedException, InterruptedException;
    }

    /**
     * Of a box that makes an instance's data directory with the first run that comes.
     *
     * @param data the box's data directory; the instances' are in its {@code instances}, which exists
     * @param leftovers done before anything is swept: a command that still ran could write to what was
     */
    public BoxRunDirectories(Path data, ObjectStore store, LeftoverKiller leftovers) {
        this(data, store, leftovers, null);
    }

    /**
     * Of a box that keeps account of whose data is in which directory. A run's directory is made in none that is not there:
     * whoever finds it would take it for somebody's data.
     *
     * @param places makes them
     */
    public static BoxRunDirectories inPlaces(Path data, ObjectStore store, LeftoverKiller leftovers, Places places) {
        return new BoxRunDirectories(data, store, leftovers, places);
    }

    private BoxRunDirectories(Path data, ObjectStore store, LeftoverKiller leftovers, @Nullable Places places) {
        this.instances = data.resolve("instances");
        this.store = store;
        this.leftovers = leftovers;
        this.places = places;
    }

    @Override
    public Path instanceData(Host host) {
        return instances.resolve(InstanceId.of(host).value());
    }

    @Override
    public void makePlace(RunRequest request) throws StagingRefusedException, InterruptedException {
        if (places != null) {
            places.make(request);
        }
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

    private Directory openData(Directory all, Host host) throws IOException {
        String name = InstanceId.of(host).value();
        return places == null ? all.createDirectories(name, DATA_MODE) : all.openDirectory(name);
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
