package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.testing.Seeded;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Sha256Test {
    /** The examples that NIST publishes for FIPS 180-4. */
    @ParameterizedTest
    @CsvSource({
        "'', e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "abc, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq,"
                + " 248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu,"
                + " cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    })
    void aPublishedExampleHasItsPublishedDigest(String message, String digest) {
        assertThat(Sha256.hex(message.getBytes(StandardCharsets.US_ASCII))).isEqualTo(digest);
    }

    @Test
    void aMillionTimesAHasItsPublishedDigest() {
        assertThat(Sha256.hex("a".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    @Test
    void everyLengthAroundTheBlocksHasTheDigestOfTheJdk() {
        for (int length = 0; length < 200; length++) {
            byte[] message = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
            assertThat(Sha256.hex(message)).as("%d bytes", length).isEqualTo(jdk(message));
        }
    }

    @Test
    void randomBytesHaveTheDigestOfTheJdk() {
        Seeded.check(500, random -> {
            byte[] message = new byte[random.nextInt(2_000)];
            random.nextBytes(message);
            assertThat(Sha256.hex(message)).isEqualTo(jdk(message));
        });
    }

    private static String jdk(byte[] message) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(message));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
