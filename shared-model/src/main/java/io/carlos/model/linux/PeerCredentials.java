package io.carlos.model.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Who is at the other end of a unix socket: the process that connected or, seen from there, that listened, as it was at
 * that moment. The process may have ended since and its number may be another's: {@link PidFd#ofPeer} tells.
 *
 * @param pid 0 when the process is outside of this one's pid namespace
 */
public record PeerCredentials(int pid, int uid, int gid) {
    private static final int SO_PEERCRED = 17;
    private static final int LENGTH = 3 * Integer.BYTES;

    /** @param socket the descriptor of a connected unix socket, which stays the caller's */
    public static PeerCredentials of(int socket) throws LinuxException {
        byte[] bytes = SocketOption.read(socket, "SO_PEERCRED", SO_PEERCRED, LENGTH);
        ByteBuffer ucred = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        return new PeerCredentials(ucred.getInt(0), ucred.getInt(4), ucred.getInt(8));
    }
}
