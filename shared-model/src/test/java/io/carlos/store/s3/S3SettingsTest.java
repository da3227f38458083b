package io.carlos.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3SettingsTest {
    private final S3Settings usual = S3Settings.of("my-bucket", "eu-central-1");

    @Test
    void theUsualSettingsAreAwsInHostStyle() {
        assertThat(usual.endpoint()).isNull();
        assertThat(usual.pathStyle()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "My-Bucket", "-abc", "a/b/c", "bücket", "a b c"})
    void aBucketThatS3WouldNotTakeIsRefused(String bucket) {
        assertThatThrownBy(() -> S3Settings.of(bucket, "eu-central-1"))
                .hasMessage("S3 settings: the bucket is \"" + bucket + "\", expected 3 to 63 of a-z, 0-9, '.' and '-'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "EU", "eu central", "eu/central"})
    void aRegionThatIsNoNameIsRefused(String region) {
        assertThatThrownBy(() -> S3Settings.of("my-bucket", region))
                .hasMessageStartingWith("S3 settings: the region is \"" + region + "\", expected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://s3.example.com", "http://127.0.0.1:9000", "http://[::1]:9000/"})
    void anEndpointIsAServer(String endpoint) {
        URI server = URI.create(endpoint);
        assertThat(usual.at(server, true)).extracting(S3Settings::endpoint).isEqualTo(server);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3.example.com",
                "ftp://s3.example.com",
                "https:///x",
                "https://s3.example.com/path",
                "https://s3.example.com?x=y",
                "https://s3.example.com#x"
            })
    void anEndpointThatIsMoreOrLessThanAServerIsRefused(String endpoint) {
        assertThatThrownBy(() -> usual.at(URI.create(endpoint), true))
                .hasMessage("S3 settings: the endpoint is \"" + endpoint
                        + "\", expected http[s]://host[:port] and nothing else");
    }

    @Test
    void aPasswordInAnEndpointIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> usual.at(URI.create("https://key:secret@s3.example.com"), true))
                .hasMessageContaining("s3.example.com")
                .hasMessageNotContaining("secret");
    }

    @Test
    void timeoutsOutOfBoundsAreRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> usual.withTimeouts(Duration.ZERO, second, second))
                .hasMessageContaining("connect time-out");
        assertThatThrownBy(() -> usual.withTimeouts(second, second.negated(), second))
                .hasMessageContaining("response time-out");
        assertThatThrownBy(() -> usual.withTimeouts(second, second, Duration.ZERO))
                .hasMessageContaining("call time-out");
        assertThatThrownBy(() -> usual.withTimeouts(second.multipliedBy(2), second, second))
                .hasMessageContaining("at least the connect time-out, PT2S");
    }

    @Test
    void aConnectionLimitOutOfBoundsIsRefused() {
        for (int limit : new int[] {-1, 0, 10_001}) {
            assertThatThrownBy(() -> usual.withMaxConnections(limit)).hasMessageContaining("\"" + limit + "\"");
        }
    }
}
