package io.carlos.model.linux;

/** Reads options of the level {@code SOL_SOCKET}. */
final class SocketOption {
    private static final int SOL_SOCKET = 1;

    private SocketOption() {}

    static byte[] read(int socket, String name, int number, int length) throws LinuxException {
        byte[] value = new byte[length];
        int[] valueLength = {length};
        Libc.check(
                "getsockopt " + name,
                "descriptor " + socket,
                () -> Libc.getsockopt(socket, SOL_SOCKET, number, value, valueLength));
        return value;
    }
}
