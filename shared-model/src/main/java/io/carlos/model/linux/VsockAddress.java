package io.carlos.model.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One end of a connection between a virtual machine and its host, see vsock(7).
 *
 * @param cid unsigned; which machine: {@link #HOST}, {@link #LOOPBACK}, or a guest's number
 * @param port unsigned
 */
public record VsockAddress(int cid, int port) {
    /** The machine itself. */
    public static final int LOOPBACK = 1;

    /** The machine that this one is a guest of. */
    public static final int HOST = 2;

    private static final int AF_VSOCK = 40;
    private static final int LENGTH = 16;
    private static final int PORT = 4;
    private static final int CID = 8;

    /**
     * Where a connection comes from.
     *
     * @param socket the descriptor of a connected vsock socket, which stays the caller's
     * @throws LinuxException when it is none, with {@code ENOTCONN}, or it is of another family
     */
    public static VsockAddress ofPeer(int socket) throws LinuxException {
        byte[] address = new byte[LENGTH];
        int[] length = {LENGTH};
        String subject = "descriptor " + socket;
        Libc.check("getpeername", subject, () -> Libc.getpeername(socket, address, length));
        return parse(address, subject);
    }

    static VsockAddress parse(byte[] address, String subject) throws LinuxException {
        ByteBuffer sockaddr = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        if (sockaddr.getShort(0) != AF_VSOCK) {
            throw new LinuxException("getpeername", subject, Errno.EINVAL.number());
        }
        return new VsockAddress(sockaddr.getInt(CID), sockaddr.getInt(PORT));
    }
}
