package io.carlos.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

class S3StoreProbeTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.500Z");

    @ParameterizedTest
    @CsvSource({
        // The server's second, as far from 03:04:05; half a second of what it says cannot be told apart.
        "0, 0",
        "1, 500",
        "-1, -500",
        "30, 29500",
        "-30, -29500"
    })
    void theLeadOfTheServersClockIsWhatItsDateCannotExplain(int seconds, long leadMillis) throws Exception {
        assertThat(lead(200, date(NOW.plusSeconds(seconds)))).isEqualTo(Duration.ofMillis(leadMillis));
    }

    @Test
    void aRefusalTellsTheTimeAsWell() throws Exception {
        assertThat(lead(403, date(NOW.plusSeconds(3600)))).isEqualTo(Duration.ofMillis(3_599_500));
    }

    @Test
    void anAnswerWithoutADateIsUnavailable() {
        assertThatThrownBy(() -> lead(200, "X-Nothing: 1"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Date is \"\"");
    }

    private static String date(Instant instant) {
        return "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(instant.atZone(ZoneOffset.UTC));
    }

    private static Duration lead(int status, String header) throws Exception {
        String body = status == 200
                ? "<ListBucketResult/>"
                : "<Error><Code>RequestTimeTooSkewed</Code><Message>no</Message></Error>";
        String answer = "HTTP/1.1 " + status + " Said\r\n" + header + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        try (WireServer server = WireServer.answering(
                        request -> new WireServer.Answer.Bytes(answer.getBytes(StandardCharsets.US_ASCII)));
                S3StoreProbe probe = S3StoreProbe.open(
                        S3Settings.of("bucket", "us-east-1").at(server.uri(), true),
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")),
                        InstantSource.fixed(NOW))) {
            return probe.clockLead();
        }
    }
}
