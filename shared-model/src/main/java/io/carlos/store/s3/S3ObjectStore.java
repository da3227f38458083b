package io.carlos.store.s3;

import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreArguments;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A store in a bucket. Preconditions are S3's {@code If-None-Match: *} and {@code If-Match}, which some servers accept and
 * ignore: {@link io.carlos.store.StorePreflight} tells.
 *
 * <p>No request is ever repeated behind the caller's back, but for one answer that S3 wants repeated: that another write of the
 * key is under way, and nothing was written. When that answer does not end after several attempts with growing random pauses,
 * the write ends in {@link StoreUnavailableException}.
 *
 * <p>What is not known stays unknown: a connection that is lost or a time that runs out once the server can have the whole
 * request, and every server error (5xx), make a write end in {@link AmbiguousWriteException}.
 *
 * <p>Etags are without quotes throughout. Objects in the bucket whose names are no {@link ObjectKey} are not listed.
 */
public final class S3ObjectStore implements ObjectStore, AutoCloseable {
    private final String bucket;
    private final RaceRetry raceRetry;
    private final SdkHttpClient http;
    private final S3Client s3;

    private S3ObjectStore(String bucket, RaceRetry raceRetry, SdkHttpClient http, S3Client s3) {
        this.bucket = bucket;
        this.raceRetry = raceRetry;
        this.http = http;
        this.s3 = s3;
    }

    /** A store with the credentials that the SDK's default chain finds. The server is not asked for anything yet. */
    public static S3ObjectStore open(S3Settings settings) {
        SdkHttpClient http = S3Clients.http(settings);
        return new S3ObjectStore(settings.bucket(), RaceRetry.USUAL, http, S3Clients.s3(settings, http, null));
    }

    /** A store with these credentials. The server is not asked for anything yet. */
    public static S3ObjectStore open(S3Settings settings, AwsCredentialsProvider credentials) {
        return open(settings, credentials, RaceRetry.USUAL);
    }

    static S3ObjectStore open(S3Settings settings, AwsCredentialsProvider credentials, RaceRetry raceRetry) {
        SdkHttpClient http = S3Clients.http(settings);
        return new S3ObjectStore(settings.bucket(), raceRetry, http, S3Clients.s3(settings, http, credentials));
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        try {
            return Optional.of(read(
                    key,
                    GetObjectRequest.builder().bucket(bucket).key(key.value()).build()));
        } catch (SdkException e) {
            if (S3Failures.isAbsence(e)) {
                return Optional.empty();
            }
            throw S3Failures.ofGet(key, e);
        }
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        GetObjectRequest.Builder request =
                GetObjectRequest.builder().bucket(bucket).key(key.value());
        if (Etag.isPossible(knownEtag)) {
            request.ifNoneMatch(Etag.quoted(knownEtag));
        }
        try {
            StoredObject object = read(key, request.build());
            return object.etag().equals(Etag.unquoted(knownEtag))
                    ? new ConditionalRead.Unchanged()
                    : new ConditionalRead.Changed(object);
        } catch (SdkException e) {
            if (S3Failures.isStatus(e, 304)) {
                return new ConditionalRead.Unchanged();
            }
            if (S3Failures.isAbsence(e)) {
                return new ConditionalRead.Absent();
            }
            throw S3Failures.ofGet(key, e);
        }
    }

    private StoredObject read(ObjectKey key, GetObjectRequest request) {
        StoredObject object = s3.getObject(request, (head, body) -> {
            // One byte more tells an object of a foreign writer that is too large, without reading all of it.
            byte[] value = body.readNBytes(MAX_VALUE_BYTES + 1);
            if (value.length > MAX_VALUE_BYTES) {
                body.abort();
            }
            return new StoredObject(key, value, Etag.unquoted(head.eTag()), head.lastModified());
        });
        if (object.value().length > MAX_VALUE_BYTES) {
            throw new StoreUnavailableException(
                    "get " + key + ": the value is over " + MAX_VALUE_BYTES + " bytes, no store of ours wrote it",
                    null);
        }
        return object;
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        StoreArguments.checkValue(key, value);
        PutObjectRequest.Builder request =
                PutObjectRequest.builder().bucket(bucket).key(key.value());
        switch (precondition) {
            case Precondition.None() -> {}
            case Precondition.CreateOnly() -> request.ifNoneMatch("*");
            case Precondition.IfMatch(String etag) -> {
                if (!Etag.isPossible(etag)) {
                    throw new CasConflictException(key, "etag " + etag + ", which no server gives");
                }
                request.ifMatch(Etag.quoted(etag));
            }
        }
        PutObjectRequest put = request.build();
        String etag = write(
                "put " + key,
                () -> s3.putObject(put, RequestBody.fromBytes(value)).eTag(),
                failure -> conflict(key, precondition, failure));
        if (etag == null || etag.isEmpty()) {
            throw new AmbiguousWriteException("put " + key + ": done, but the answer has no etag", null);
        }
        return Etag.unquoted(etag);
    }

    private static Optional<CasConflictException> conflict(
            ObjectKey key, Precondition precondition, SdkException failure) {
        return switch (precondition) {
            case Precondition.None() -> Optional.empty();
            case Precondition.CreateOnly() ->
                S3Failures.isStatus(failure, 412)
                        ? Optional.of(new CasConflictException(key, "no value, found one", failure))
                        : Optional.empty();
            case Precondition.IfMatch(String etag) -> {
                if (S3Failures.isStatus(failure, 412)) {
                    yield Optional.of(new CasConflictException(key, "etag " + etag + ", found another", failure));
                }
                yield S3Failures.isAbsence(failure)
                        ? Optional.of(new CasConflictException(key, "etag " + etag + ", found no value", failure))
                        : Optional.empty();
            }
        };
    }

    @Override
    public void delete(ObjectKey key) {
        write(
                "delete " + key,
                () -> s3.deleteObject(r -> r.bucket(bucket).key(key.value())),
                failure -> Optional.empty());
    }

    /** @param conflict the conflict that a failure says there was, if it says so */
    private <T> T write(
            String call, Supplier<T> request, Function<SdkException, Optional<CasConflictException>> conflict) {
        try {
            return raceRetry.call(() -> attempt(call, request, conflict));
        } catch (S3Exception e) {
            throw new StoreUnavailableException(
                    call + ": other writes were under way at each of several attempts; nothing was written", e);
        }
    }

    private static <T> T attempt(
            String call, Supplier<T> request, Function<SdkException, Optional<CasConflictException>> conflict) {
        SendProgress progress = new SendProgress();
        try {
            return ScopedValue.where(ObservedHttpClient.PROGRESS, progress).call(request::get);
        } catch (SdkException e) {
            if (S3Failures.isRace(e)) {
                throw e;
            }
            Optional<CasConflictException> found = conflict.apply(e);
            throw found.isPresent() ? found.get() : S3Failures.ofWrite(call, e, progress);
        }
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        StoreArguments.checkLimit(limit);
        List<ListedObject> rows = new ArrayList<>();
        if (!beginsAKey(prefix)) {
            return rows;
        }
        String after = startAfter;
        boolean more = true;
        while (more && rows.size() < limit) {
            ListObjectsV2Response page = page(prefix, after, limit - rows.size());
            for (S3Object object : page.contents()) {
                after = object.key();
                if (ObjectKey.isKey(after)) {
                    rows.add(row(object));
                }
            }
            more = Boolean.TRUE.equals(page.isTruncated()) && !page.contents().isEmpty();
        }
        return rows;
    }

    private ListObjectsV2Response page(String prefix, String after, int limit) {
        ListObjectsV2Request.Builder request =
                ListObjectsV2Request.builder().bucket(bucket).prefix(prefix).maxKeys(limit);
        if (!after.isEmpty()) {
            request.startAfter(after);
        }
        try {
            return s3.listObjectsV2(request.build());
        } catch (SdkException e) {
            throw S3Failures.ofRead("list " + prefix, e);
        }
    }

    private static ListedObject row(S3Object object) {
        return new ListedObject(
                ObjectKey.of(object.key()), Etag.unquoted(object.eTag()), object.size(), object.lastModified());
    }

    private static boolean beginsAKey(String prefix) {
        return prefix.isEmpty() || ObjectKey.isKey(prefix) || ObjectKey.isKey(prefix + "x");
    }

    @Override
    public void close() {
        s3.close();
        http.close();
    }
}
