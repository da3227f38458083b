package io.carlos.store.s3;

import io.carlos.store.ObjectStore;
import io.carlos.store.OpenedStore;
import io.carlos.store.PreflightReport;
import io.carlos.store.StorePreflight;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** A bucket, with the credentials that the SDK's default chain finds. */
public final class OpenedBucket implements OpenedStore {
    private final S3Settings settings;
    private final DefaultCredentialsProvider credentials;
    private final S3ObjectStore store;

    private OpenedBucket(S3Settings settings, DefaultCredentialsProvider credentials, S3ObjectStore store) {
        this.settings = settings;
        this.credentials = credentials;
        this.store = store;
    }

    /** The server is not asked for anything yet. */
    public static OpenedBucket open(S3Settings settings) {
        DefaultCredentialsProvider credentials =
                DefaultCredentialsProvider.builder().build();
        return new OpenedBucket(settings, credentials, S3ObjectStore.open(settings, credentials));
    }

    @Override
    public ObjectStore objects() {
        return store;
    }

    @Override
    public PreflightReport preflight() {
        try (S3StoreProbe probe = S3StoreProbe.open(settings, credentials)) {
            return new StorePreflight(store, probe).run();
        }
    }

    @Override
    public void close() {
        store.close();
        credentials.close();
    }
}
