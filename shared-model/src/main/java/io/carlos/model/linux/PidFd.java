package io.carlos.model.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A hold on one process that its number's next owner cannot take over: as long as it is held and the process lives, the
 * number is that process's.
 */
public final class PidFd implements AutoCloseable {
    private static final int SO_PEERPIDFD = 77;
    private static final int POLLIN = 1;
    private static final String PID_FIELD = "Pid:";

    private final Descriptor descriptor;

    private PidFd(int number, String subject) {
        descriptor = Descriptor.adopt(number, subject);
    }

    /** What asking for a peer's pidfd came to. */
    public sealed interface Peer {
        /** The receiver closes the hold. */
        record Held(PidFd pidFd) implements Peer {}

        /** The process that connected has ended and is no more. */
        record Gone() implements Peer {}

        /** The kernel is older than 6.5: only {@link PeerCredentials} can be had. */
        record Unsupported() implements Peer {}
    }

    /** @param socket the descriptor of a connected unix socket, which stays the caller's */
    public static Peer ofPeer(int socket) throws LinuxException {
        byte[] bytes;
        try {
            bytes = SocketOption.read(socket, "SO_PEERPIDFD", SO_PEERPIDFD, Integer.BYTES);
        } catch (LinuxException e) {
            return withoutPidFd(e);
        }
        int number = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
        return new Peer.Held(new PidFd(number, "pidfd of the peer of descriptor " + socket));
    }

    static Peer withoutPidFd(LinuxException refusal) throws LinuxException {
        if (refusal.is(Errno.ENOPROTOOPT)) {
            return new Peer.Unsupported();
        }
        // Which of these a peer that has ended gives depends on the kernel's version.
        if (refusal.is(Errno.ESRCH) || refusal.is(Errno.EINVAL) || refusal.is(Errno.ENODATA)) {
            return new Peer.Gone();
        }
        throw refusal;
    }

    /** Takes hold of a running process; {@code ESRCH} when there is none of that number. */
    public static PidFd open(int pid) throws LinuxException {
        String subject = "process " + pid;
        return new PidFd((int) Libc.check("pidfd_open", subject, () -> Libc.pidfdOpen(pid)), subject);
    }

    /** Whether the process has not ended; one that waits to be reaped by its parent has. */
    public boolean isAlive() throws LinuxException {
        try (Descriptor.Use use = descriptor.use()) {
            // struct pollfd: descriptor 4, events 2, returned events 2.
            byte[] pollfd = ByteBuffer.allocate(8)
                    .order(ByteOrder.nativeOrder())
                    .putInt(use.number())
                    .putShort((short) POLLIN)
                    .array();
            return Libc.check("poll", descriptor.subject(), () -> Libc.poll(pollfd, 1, 0)) == 0;
        }
    }

    /**
     * The number of the process, empty when it was reaped or lives outside of this process's pid namespace.
     *
     * @throws IOException when {@code /proc} cannot be read
     */
    public OptionalInt pid() throws IOException {
        try (Descriptor.Use use = descriptor.use()) {
            Path info = Path.of("/proc/self/fdinfo/" + use.number());
            for (String line : Files.readAllLines(info, StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(PID_FIELD)) {
                    int pid =
                            Integer.parseInt(line.substring(PID_FIELD.length()).trim());
                    return pid > 0 ? OptionalInt.of(pid) : OptionalInt.empty();
                }
            }
            throw new IOException(info + ": expected a line \"Pid:\" as of a pidfd, found none");
        }
    }

    /** Sends a signal by its number; {@code ESRCH} when the process has ended. */
    public void signal(int signal) throws LinuxException {
        try (Descriptor.Use use = descriptor.use()) {
            Libc.check("pidfd_send_signal", descriptor.subject(), () -> Libc.pidfdSendSignal(use.number(), signal));
        }
    }

    @Override
    public void close() throws LinuxException {
        descriptor.close();
    }

    @Override
    public String toString() {
        return descriptor.subject();
    }
}
