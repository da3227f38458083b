package io.carlos.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.testing.Seeded;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\0", "é", "€", "\ufeff", "\ufffd", "\uffff", "😀", "\udbff\udfff"})
    void aTextIsDecodedFromItsBytes(String text) {
        assertThat(Utf8.decode(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
        assertThat(Utf8.isEncodable(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "ff",
                "c3",
                "c328",
                "e282",
                "61e28261",
                "c080",
                "c1bf",
                "e08080",
                "f0808080",
                "eda080",
                "eda0bdedb880",
                "edbfbf",
                "f4908080",
                "f8888080",
                "f09f98"
            })
    void malformedBytesAreRefused(String hex) {
        assertThat(Utf8.decode(HexFormat.of().parseHex(hex))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "\udc00", "a\ud83d", "\ud83d\ud83d\ude00", "\ude00\ud83d"})
    void halfASurrogatePairHasNoBytes(String text) {
        assertThat(Utf8.isEncodable(text)).isFalse();
    }

    @Test
    void anyBytesAreDecodedExactlyWhenTheJdksStrictDecoderTakesThem() {
        byte[] likely = HexFormat.of().parseHex("0061c3a9e282acf09f9880eda080c0f4908fbf");
        Seeded.check(50_000, random -> {
            byte[] bytes = new byte[random.nextInt(6)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(4) == 0 ? (byte) random.nextInt() : likely[random.nextInt(likely.length)];
            }
            assertThat(Utf8.decode(bytes)).as(HexFormat.of().formatHex(bytes)).isEqualTo(decodeWithTheJdk(bytes));
        });
    }

    private static String decodeWithTheJdk(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
