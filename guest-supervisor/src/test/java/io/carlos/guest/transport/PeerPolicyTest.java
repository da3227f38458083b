package io.carlos.guest.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.linux.PeerCredentials;
import io.carlos.model.linux.VsockAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerPolicyTest {
    @Test
    void theHostIsAdmittedFromAnyPort() {
        assertThat(PeerPolicy.admits(new VsockAddress(2, 1))).isTrue();
        assertThat(PeerPolicy.admits(new VsockAddress(2, -1))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void nobodyElseIsAdmitted(int cid) {
        assertThat(PeerPolicy.admits(new VsockAddress(cid, 2))).isFalse();
    }

    @Test
    void onAUnixSocketRootAndTheOwnUserAreAdmitted() {
        assertThat(PeerPolicy.admits(new PeerCredentials(7, 0, 0), 1_000)).isTrue();
        assertThat(PeerPolicy.admits(new PeerCredentials(7, 1_000, 5), 1_000)).isTrue();
        assertThat(PeerPolicy.admits(new PeerCredentials(7, 1_001, 0), 1_000)).isFalse();
        assertThat(PeerPolicy.admits(new PeerCredentials(7, 1_000, 0), 0)).isFalse();
    }
}
