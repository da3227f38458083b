package io.carlos.guest.namespace.calls;

import io.carlos.model.text.CString;

/** Socket addresses in the kernel's layout on a little-endian machine, the only kind that Carlos runs on. */
public final class SocketAddress {
    private static final int IPV4_BYTES = 16;
    private static final int IPV6_BYTES = 28;
    private static final int IPV6_ADDRESS_OFFSET = 8;
    private static final int MAX_UNIX_PATH_BYTES = 107;

    private SocketAddress() {}

    /** @param address four bytes */
    public static byte[] ipv4(int port, int... address) {
        byte[] bytes = inet(SocketCalls.INTERNET, IPV4_BYTES, port);
        for (int i = 0; i < address.length; i++) {
            bytes[4 + i] = (byte) address[i];
        }
        return bytes;
    }

    /** @param groups eight groups of 16 bits */
    public static byte[] ipv6(int port, int... groups) {
        byte[] bytes = inet(SocketCalls.INTERNET_6, IPV6_BYTES, port);
        for (int i = 0; i < groups.length; i++) {
            bytes[IPV6_ADDRESS_OFFSET + 2 * i] = (byte) (groups[i] >> 8);
            bytes[IPV6_ADDRESS_OFFSET + 2 * i + 1] = (byte) groups[i];
        }
        return bytes;
    }

    /** @throws IllegalArgumentException when the path is too long for an address */
    public static byte[] unix(String path) {
        byte[] name = CString.of(path);
        if (name.length - 1 > MAX_UNIX_PATH_BYTES) {
            throw new IllegalArgumentException("over " + MAX_UNIX_PATH_BYTES + " bytes for a socket: " + path);
        }
        byte[] bytes = new byte[2 + name.length];
        bytes[0] = SocketCalls.UNIX;
        System.arraycopy(name, 0, bytes, 2, name.length);
        return bytes;
    }

    private static byte[] inet(int family, int length, int port) {
        byte[] bytes = new byte[length];
        bytes[0] = (byte) family;
        bytes[2] = (byte) (port >> 8);
        bytes[3] = (byte) port;
        return bytes;
    }
}
