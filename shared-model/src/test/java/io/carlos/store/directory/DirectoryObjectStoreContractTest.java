package io.carlos.store.directory;

import io.carlos.store.WatchableStore;
import io.carlos.store.WatchableStoreContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class DirectoryObjectStoreContractTest extends WatchableStoreContract {
    @TempDir
    Path root;

    private final List<DirectoryObjectStore> opened = new ArrayList<>();

    @Override
    protected WatchableStore open() {
        DirectoryObjectStore store = DirectoryObjectStore.open(root);
        opened.add(store);
        return store;
    }

    @AfterEach
    void close() {
        opened.forEach(DirectoryObjectStore::close);
    }
}
