package io.carlos.store.s3;

import io.carlos.store.ObjectStore;
import io.carlos.store.ObjectStoreRaceContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(S3Server.class)
class S3ObjectStoreContractTest extends ObjectStoreRaceContract {
    private final S3Server.Endpoint server;
    private final List<S3ObjectStore> opened = new ArrayList<>();

    S3ObjectStoreContractTest(S3Server.Endpoint server) {
        this.server = server;
    }

    @Override
    protected ObjectStore open() {
        S3ObjectStore store = S3ObjectStore.open(server.settings(), server.credentials());
        opened.add(store);
        return store;
    }

    @AfterEach
    void close() {
        opened.forEach(S3ObjectStore::close);
    }
}
