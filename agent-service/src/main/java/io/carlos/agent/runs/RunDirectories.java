package io.carlos.agent.runs;

import io.carlos.model.names.Host;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import java.io.IOException;
import java.nio.file.Path;

/** The directories of runs on this box. */
public interface RunDirectories {
    /** The data directory of an instance. */
    Path instanceData(Host host);

    /**
     * Has the instance's data directory be there, if {@link #stage} does not make it itself. May wait.
     *
     * @throws StagingRefusedException the data there is not that of the instance which the run was asked of
     */
    default void makePlace(RunRequest request) throws StagingRefusedException, InterruptedException {}

    /**
     * Makes the run's directory with its input files, and returns it.
     *
     * @throws StagingRefusedException the tenant's tree or an input is not as it must be; trying again is no use
     * @throws IOException the disk failed
     * @throws io.carlos.store.StoreException an input could not be fetched
     */
    Path stage(RunRequest request) throws StagingRefusedException, IOException;

    /** Removes the run's directory; a success when there is none. */
    void remove(Host host, RunId id) throws IOException;

    /** Removes the run directories of every instance on the box, and what is left of their commands. */
    void sweep() throws IOException, InterruptedException;
}
