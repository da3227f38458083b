package io.carlos.model.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Sends datagrams to unix sockets, which Java's own channels cannot. Any thread may send; a send never waits. */
public final class DatagramSender implements AutoCloseable {
    /** What a {@code sockaddr_un} holds besides the NUL that ends it. */
    static final int MAX_ADDRESS_BYTES = 107;

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;

    private final Descriptor descriptor;

    private DatagramSender(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    public static DatagramSender open() throws LinuxException {
        String subject = "datagram socket";
        int socket = (int) Libc.check("socket", subject, () -> Libc.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0));
        return new DatagramSender(Descriptor.adopt(socket, subject));
    }

    /**
     * @param address a path of at most 107 bytes, or the name of an abstract socket after an {@code @}
     * @throws LinuxException {@code EAGAIN} when the receiver has no room now, {@code ENOENT} or {@code ECONNREFUSED} when there is
     *     none
     */
    public void send(String address, byte[] message) throws LinuxException {
        byte[] structure = structure(address);
        try (Descriptor.Use use = descriptor.use()) {
            Libc.check(
                    "sendto",
                    address,
                    () -> Libc.sendto(
                            use.number(), message, message.length, MSG_DONTWAIT_NOSIGNAL, structure, structure.length));
        }
    }

    /** struct sockaddr_un; the name of an abstract socket starts with NUL and ends with the structure. */
    private static byte[] structure(String address) {
        byte[] name = address.getBytes(StandardCharsets.UTF_8);
        boolean isAbstract = name[0] == '@';
        if (isAbstract) {
            name[0] = 0;
        }
        return ByteBuffer.allocate(Short.BYTES + name.length + (isAbstract ? 0 : 1))
                .order(ByteOrder.nativeOrder())
                .putShort((short) AF_UNIX)
                .put(name)
                .array();
    }

    @Override
    public void close() throws LinuxException {
        descriptor.close();
    }
}
