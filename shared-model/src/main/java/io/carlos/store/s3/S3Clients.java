package io.carlos.store.s3;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/**
 * The SDK's client as the store needs it. It never repeats a request: a repeated conditional write whose first answer was lost
 * would end in a conflict with itself, and its writer would believe that somebody else has won.
 */
final class S3Clients {
    private S3Clients() {}

    /** Closing the S3 client leaves this one open. */
    static SdkHttpClient http(S3Settings settings) {
        return new ObservedHttpClient(Apache5HttpClient.builder()
                .maxConnections(settings.maxConnections())
                .connectionTimeout(settings.connectTimeout())
                .connectionAcquisitionTimeout(settings.connectTimeout())
                .socketTimeout(settings.responseTimeout())
                .connectionMaxIdleTime(Duration.ofSeconds(20))
                .build());
    }

    /** @param credentials null means the SDK's default chain */
    static S3Client s3(S3Settings settings, SdkHttpClient http, @Nullable AwsCredentialsProvider credentials) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(http)
                .region(Region.of(settings.region()))
                .forcePathStyle(settings.pathStyle())
                // Other servers than AWS's refuse or ignore the checksums that the SDK adds of its own accord.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(
                        S3Configuration.builder().chunkedEncodingEnabled(false).build())
                .overrideConfiguration(
                        c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()).apiCallTimeout(settings.callTimeout()));
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        }
        if (credentials != null) {
            builder.credentialsProvider(credentials);
        }
        return builder.build();
    }
}
