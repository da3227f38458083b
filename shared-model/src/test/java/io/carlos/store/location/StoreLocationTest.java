package io.carlos.store.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.carlos.model.testing.Seeded;
import io.carlos.store.s3.S3Settings;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreLocationTest {
    @Test
    void aPathIsADirectoryAbsoluteAndClean() {
        assertThat(StoreLocation.of("/srv/../srv/store"))
                .isEqualTo(new StoreLocation.InDirectory(Path.of("/srv/store")));
        assertThat(StoreLocation.of("store"))
                .hasToString(Path.of("store").toAbsolutePath().toString());
    }

    @Test
    void aBucketOfARegionIsAtAws() {
        assertThat(StoreLocation.of("s3://fleet?region=eu-central-1"))
                .isEqualTo(new StoreLocation.InBucket(S3Settings.of("fleet", "eu-central-1")));
    }

    @Test
    void aServerOfOnesOwnTakesAnyRegionAndIsAskedInPathStyle() {
        assertThat(StoreLocation.of("s3://fleet?endpoint=http://127.0.0.1:7480"))
                .isEqualTo(new StoreLocation.InBucket(
                        S3Settings.of("fleet", "us-east-1").at(URI.create("http://127.0.0.1:7480"), true)));
    }

    @Test
    void aServerMayHaveARegionAndBeAskedByHostName() {
        assertThat(StoreLocation.of("s3://fleet?endpoint=https://s3.example.com&region=lab&path-style=false"))
                .isEqualTo(new StoreLocation.InBucket(
                        S3Settings.of("fleet", "lab").at(URI.create("https://s3.example.com"), false)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    s3://fleet                                       | needs its region
                    s3://?region=eu-central-1                        | bucket
                    s3://Fleet?region=eu-central-1                   | bucket
                    s3://a/b?region=eu-central-1                     | bucket
                    s3://fleet?region=EU                             | region
                    s3://fleet?region=                               | region
                    s3://fleet?zone=a                                | not an option
                    s3://fleet?region                                | region=VALUE
                    s3://fleet?region=a&region=b                     | given once
                    s3://fleet?region=a&path-style=true              | endpoint
                    s3://fleet?endpoint=http://h&path-style=yes      | true or false
                    s3://fleet?endpoint=ftp://h                      | endpoint
                    s3://fleet?endpoint=http://h/path                | endpoint
                    s3://fleet?endpoint=http://h:x y                 | endpoint
                    """)
    void whatNamesNoBucketIsRefusedByTheNameOfWhatIsWrong(String text, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreLocation.of(text))
                .withMessageContaining(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\0b"})
    void whatNamesNoDirectoryIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> StoreLocation.of(text));
    }

    @Test
    void aPasswordInAnEndpointIsNotRepeated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreLocation.of("s3://fleet?endpoint=http://me:secret@h"))
                .withMessageNotContaining("secret");
    }

    @Test
    void theTextOfALocationNamesTheSameStoreAgain() {
        Seeded.check(200, random -> {
            String bucket = "bucket-" + random.nextInt(1000);
            String region = random.nextBoolean() ? "&region=r-" + random.nextInt(10) : "";
            String style = random.nextBoolean() ? "&path-style=" + random.nextBoolean() : "";
            StoreLocation location = StoreLocation.of(
                    "s3://" + bucket + "?endpoint=http://h:" + (1 + random.nextInt(9999)) + region + style);
            assertThat(StoreLocation.of(location.toString())).isEqualTo(location);
        });
    }
}
