package io.carlos.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.store.PreflightCheck;
import io.carlos.store.PreflightReport;
import io.carlos.store.PreflightVerdict;
import io.carlos.store.StorePreflight;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

@ExtendWith(S3Server.class)
class S3PreflightTest {
    private final S3Server.Endpoint server;

    S3PreflightTest(S3Server.Endpoint server) {
        this.server = server;
    }

    @Test
    void aRightServerPassesEveryCheckAndNothingIsLeftBehind() {
        try (S3ObjectStore store = S3ObjectStore.open(server.settings(), server.credentials());
                S3StoreProbe probe = S3StoreProbe.open(server.settings(), server.credentials())) {
            PreflightReport report = new StorePreflight(store, probe).run();
            assertThat(report.lines())
                    .as("%s", report)
                    .extracting(PreflightReport.Line::verdict)
                    .containsOnly(PreflightVerdict.PASSED);
            assertThat(store.list("preflight/", "", 10)).isEmpty();
        }
    }

    @Test
    void aClockThatIsOffIsRefusedByTheLineOfTheClocks() {
        InstantSource late = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(-60));
        try (S3ObjectStore store = S3ObjectStore.open(server.settings(), server.credentials());
                S3StoreProbe probe = S3StoreProbe.open(server.settings(), server.credentials(), late)) {
            PreflightReport report = new StorePreflight(store, probe).run();
            assertThat(report.objection()).get().satisfies(line -> {
                assertThat(line.check()).isEqualTo(PreflightCheck.CLOCKS_AGREE);
                assertThat(line.detail()).contains("ahead of this machine's");
            });
        }
    }

    @Test
    void aMissingBucketAndAWrongSecretAreToldInTheFirstLine() {
        S3Settings elsewhere = S3Settings.of("no-such-bucket", "us-east-1").at(server.server(), true);
        StaticCredentialsProvider wrong =
                StaticCredentialsProvider.create(AwsBasicCredentials.create(server.accessKey(), "wrong"));
        try (S3ObjectStore noBucket = S3ObjectStore.open(elsewhere, server.credentials());
                S3ObjectStore noSecret = S3ObjectStore.open(server.settings(), wrong)) {
            assertThat(firstLine(noBucket)).contains("UNKNOWN", "NoSuchBucket");
            assertThat(firstLine(noSecret)).contains("UNKNOWN", "SignatureDoesNotMatch");
        }
    }

    private static String firstLine(S3ObjectStore store) {
        List<PreflightReport.Line> lines = new StorePreflight(store).run().lines();
        return lines.getFirst().toString();
    }
}
