package io.carlos.guest.transport;

import io.carlos.model.linux.PeerCredentials;
import io.carlos.model.linux.VsockAddress;

/** Whom the supervisor answers. */
final class PeerPolicy {
    private static final int ROOT = 0;

    private PeerPolicy() {}

    /** Only the host: what runs in the guest reaches the same socket, by the loopback or the guest's own number. */
    static boolean admits(VsockAddress peer) {
        return peer.cid() == VsockAddress.HOST;
    }

    /** @param own the uid of the supervisor, whose user and root could do by themselves what it does for them */
    static boolean admits(PeerCredentials peer, int own) {
        return peer.uid() == ROOT || peer.uid() == own;
    }
}
