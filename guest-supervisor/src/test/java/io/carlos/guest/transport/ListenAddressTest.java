package io.carlos.guest.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
    @Test
    void aPathIsAUnixSocket() {
        assertThat(ListenAddress.parse("unix:/run/a:b")).isEqualTo(new ListenAddress.Unix(Path.of("/run/a:b")));
    }

    @Test
    void aNumberIsAVsockPort() {
        assertThat(ListenAddress.parse("vsock:1024")).isEqualTo(new ListenAddress.Vsock(1_024));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "unix:", "unix:relative", "vsock:", "vsock:0", "vsock:-1", "vsock:x", "tcp:80", "/run/a"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> ListenAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
