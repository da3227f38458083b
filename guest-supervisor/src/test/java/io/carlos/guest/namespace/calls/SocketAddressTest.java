package io.carlos.guest.namespace.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SocketAddressTest {
    @Test
    void addressesHaveTheKernelsLayout() {
        assertThat(hex(SocketAddress.ipv4(80, 169, 254, 169, 254))).isEqualTo("02000050a9fea9fe0000000000000000");
        assertThat(hex(SocketAddress.ipv6(80, 0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)))
                .isEqualTo("0a00005000000000fd000ec200000000000000000000025400000000");
        assertThat(hex(SocketAddress.unix("/a"))).isEqualTo("01002f6100");
    }

    @Test
    void aPathThatASocketAddressCannotHoldIsRefused() {
        assertThat(SocketAddress.unix("x".repeat(107))).hasSize(110);
        assertThatThrownBy(() -> SocketAddress.unix("x".repeat(108))).isInstanceOf(IllegalArgumentException.class);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
