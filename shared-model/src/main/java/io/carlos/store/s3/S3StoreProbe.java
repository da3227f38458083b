package io.carlos.store.s3;

import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoreProbe;
import io.carlos.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What the preflight asks of an S3 server. */
public final class S3StoreProbe implements StoreProbe, AutoCloseable {
    private static final String WRONG_SECRET = "this-is-not-the-secret-of-these-credentials";

    private final String bucket;
    private final InstantSource clock;
    private final SdkHttpClient http;
    private final S3Client s3;
    private final S3ObjectStore impostor;

    private S3StoreProbe(S3Settings settings, AwsCredentialsProvider credentials, InstantSource clock) {
        this.bucket = settings.bucket();
        this.clock = clock;
        this.impostor = S3ObjectStore.open(settings, () -> withWrongSecret(credentials.resolveCredentials()));
        this.http = S3Clients.http(settings);
        this.s3 = S3Clients.s3(settings, http, credentials);
    }

    /** @param credentials the ones that the store under test has; never closed here */
    public static S3StoreProbe open(S3Settings settings, AwsCredentialsProvider credentials) {
        return new S3StoreProbe(settings, credentials, InstantSource.system());
    }

    static S3StoreProbe open(S3Settings settings, AwsCredentialsProvider credentials, InstantSource clock) {
        return new S3StoreProbe(settings, credentials, clock);
    }

    private static AwsCredentials withWrongSecret(AwsCredentials right) {
        return right instanceof AwsSessionCredentials session
                ? AwsSessionCredentials.create(session.accessKeyId(), WRONG_SECRET, session.sessionToken())
                : AwsBasicCredentials.create(right.accessKeyId(), WRONG_SECRET);
    }

    @Override
    public Optional<String> headEtag(ObjectKey key) {
        try {
            return Optional.of(Etag.unquoted(
                    s3.headObject(r -> r.bucket(bucket).key(key.value())).eTag()));
        } catch (SdkException e) {
            if (S3Failures.isAbsence(e)) {
                return Optional.empty();
            }
            throw S3Failures.ofRead("head " + key, e);
        }
    }

    /** A refusal tells the time as well, and for a clock that is far off a refusal is all there is. */
    @Override
    public Duration clockLead() {
        Instant asked = clock.instant();
        SdkHttpResponse answer = anyAnswer();
        Instant answered = clock.instant();
        Instant earliest = date(answer);
        // The header counts whole seconds, and the server wrote it at some time between question and answer.
        Instant latest = earliest.plusSeconds(1);
        if (earliest.isAfter(answered)) {
            return Duration.between(answered, earliest);
        }
        return latest.isBefore(asked) ? Duration.between(asked, latest) : Duration.ZERO;
    }

    private SdkHttpResponse anyAnswer() {
        try {
            return s3.listObjectsV2(r -> r.bucket(bucket).maxKeys(1)).sdkHttpResponse();
        } catch (SdkException e) {
            if (e instanceof S3Exception answer && answer.awsErrorDetails() != null) {
                return answer.awsErrorDetails().sdkHttpResponse();
            }
            throw S3Failures.ofRead("ask for the time", e);
        }
    }

    private static Instant date(SdkHttpResponse answer) {
        String date = answer.firstMatchingHeader("Date").orElse("");
        try {
            return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        } catch (DateTimeParseException e) {
            throw new StoreUnavailableException(
                    "ask for the time: the answer's Date is \"" + date + "\", expected one such as in HTTP", e);
        }
    }

    @Override
    public ObjectStore withWrongSecret() {
        return impostor;
    }

    @Override
    public void close() {
        impostor.close();
        s3.close();
        http.close();
    }
}
