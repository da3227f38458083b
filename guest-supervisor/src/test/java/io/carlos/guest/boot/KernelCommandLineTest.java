package io.carlos.guest.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelCommandLineTest {
    private static final String NONCE = "000102030405060708090a0b0c0d0eFF";

    @Test
    void theHostsWordsAreFoundAmongTheKernels() {
        KernelCommandLine line = KernelCommandLine.parse(
                "quiet panic=-1 compass.vsock_port=1024 x=\"a b\" compass.boot_nonce=" + NONCE + "\n");
        assertThat(line.vsockPort()).isEqualTo(1_024);
        assertThat(line.bootNonce()).hasSize(16).startsWith(0, 1, 2).endsWith(0x0e, 0xff);
        assertThat(line.words()).containsEntry("x", "a b").containsEntry("quiet", "");
    }

    @Test
    void theLastOfARepeatedWordCounts() {
        assertThat(KernelCommandLine.parse("compass.vsock_port=1 compass.vsock_port=2")
                        .vsockPort())
                .isEqualTo(2);
    }

    @Test
    void aPortMayBeAnyUnsignedNumberButTheLast() {
        assertThat(KernelCommandLine.parse("compass.vsock_port=4294967294").vsockPort())
                .isEqualTo(-2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "compass.vsock_port",
                "compass.vsock_port=",
                "compass.vsock_port=0",
                "compass.vsock_port=-1",
                "compass.vsock_port=x",
                "compass.vsock_port=4294967295",
                "\"compass.vsock_port=1 \""
            })
    void aPortThatIsNoneIsRefused(String line) {
        assertThatThrownBy(() -> KernelCommandLine.parse(line).vsockPort())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("compass.vsock_port");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "compass.boot_nonce=",
                "compass.boot_nonce=00",
                "compass.boot_nonce=000102030405060708090a0b0c0d0e0g"
            })
    void aNonceThatIsNoneIsRefused(String line) {
        assertThatThrownBy(() -> KernelCommandLine.parse(line).bootNonce())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("compass.boot_nonce");
    }
}
