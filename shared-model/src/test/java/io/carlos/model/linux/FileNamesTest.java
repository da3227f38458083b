package io.carlos.model.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "é", "日本", "\ud83d\ude00", "a\ud83d\ude00\u0301"})
    void textOfUtf8IsItself(String text) {
        byte[] bytes = text.getBytes(UTF_8);

        assertThat(FileNames.decode(bytes, 0, bytes.length)).isEqualTo(text);
        assertThat(FileNames.terminated(text)).isEqualTo(Arrays.copyOf(bytes, bytes.length + 1));
    }

    @Test
    void bytesThatAreNoUtf8BecomeLoneSurrogates() {
        byte[] bytes = {'a', (byte) 0xff, (byte) 0xc3, 'b', (byte) 0xe2, (byte) 0x82};

        assertThat(FileNames.decode(bytes, 0, bytes.length)).isEqualTo("a\udcff\udcc3b\udce2\udc82");
    }

    @Test
    void anyBytesComeBackAsTheyWere() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            byte[] bytes = new byte[random.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                // Mostly the first bytes and the rest of longer sequences, cut and out of order.
                bytes[i] = (byte) (random.nextInt(4) == 0 ? 1 + random.nextInt(127) : 0x80 + random.nextInt(128));
            }

            String text = FileNames.decode(bytes, 0, bytes.length);

            assertThat(FileNames.terminated(text))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(Arrays.copyOf(bytes, bytes.length + 1));
            assertThat(FileNames.isEncodable(text))
                    .as("seed %d, round %d", seed, round)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "\udc00", "\udc7f", "\udd00", "a\ud83d"})
    void surrogateThatStandsForNoByteIsNotEncodable(String text) {
        assertThat(FileNames.isEncodable(text)).isFalse();
    }

    @Test
    void listedNameThatIsNoTextCanBeUsedAgain(@TempDir Path path) throws IOException {
        try (Directory directory = Directory.open(path)) {
            directory.createFile("\udcff", 0600).close();

            assertThat(directory.list()).containsExactly("\udcff");
            assertThat(directory.status("\udcff")).isPresent();
        }
    }
}
