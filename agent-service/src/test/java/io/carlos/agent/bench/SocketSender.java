package io.carlos.agent.bench;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a stream of a guest is measured against: a process that listens on a unix socket and copies bytes of
 * {@code /dev/zero} to whoever connects, with blocking calls and one buffer outside of the heap.
 */
final class SocketSender implements AutoCloseable {
    static final int BUFFER = 64 * 1024;

    private final Path socket;
    private final Process process;

    private SocketSender(Path socket, Process process) {
        this.socket = socket;
        this.process = process;
    }

    /**
     * Returns when it listens.
     *
     * @param options of its JVM
     */
    static SocketSender start(Path directory, long bytes, List<String> options)
            throws IOException, InterruptedException {
        Path socket = directory.resolve("sender.sock");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-classpath", System.getProperty("java.class.path"), SocketSender.class.getName()));
        command.addAll(List.of(socket.toString(), Long.toString(bytes)));
        Process process = new ProcessBuilder(command).inheritIO().start();
        while (!Files.exists(socket)) {
            if (!process.isAlive()) {
                throw new IllegalStateException("the sender does not listen");
            }
            Thread.sleep(10);
        }
        return new SocketSender(socket, process);
    }

    /** Takes everything that it sends, and tells how many bytes that was. */
    long receive() throws IOException {
        long received = 0;
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            int count = connection.read(buffer);
            while (count >= 0) {
                received += count;
                count = connection.read(buffer.clear());
            }
        }
        return received;
    }

    @Override
    public void close() {
        process.destroy();
    }

    public static void main(String[] arguments) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                FileChannel source = FileChannel.open(Path.of("/dev/zero"))) {
            listener.bind(UnixDomainSocketAddress.of(arguments[0]));
            while (true) {
                try (SocketChannel connection = listener.accept()) {
                    send(source, connection, Long.parseLong(arguments[1]));
                }
            }
        }
    }

    private static void send(FileChannel source, SocketChannel connection, long bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        long left = bytes;
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER));
            left -= source.read(buffer);
            buffer.flip();
            while (buffer.hasRemaining()) {
                connection.write(buffer);
            }
        }
    }
}
