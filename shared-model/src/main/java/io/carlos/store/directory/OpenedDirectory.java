package io.carlos.store.directory;

import io.carlos.store.ObjectStore;
import io.carlos.store.OpenedStore;
import io.carlos.store.PreflightReport;
import io.carlos.store.StorePreflight;
import java.nio.file.Path;

/** A directory store; it has no server whose answers could be compared. */
public final class OpenedDirectory implements OpenedStore {
    private final DirectoryObjectStore store;

    /**
     * Opens it, and makes the directory when it is not there.
     *
     * @throws io.carlos.store.StoreUnavailableException the directory cannot be used
     */
    public OpenedDirectory(Path root) {
        this.store = DirectoryObjectStore.open(root);
    }

    @Override
    public ObjectStore objects() {
        return store;
    }

    @Override
    public PreflightReport preflight() {
        return new StorePreflight(store).run();
    }

    @Override
    public void close() {
        store.close();
    }
}
