package io.carlos.agent.guest;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The socket of a virtual machine's monitor: reads the request for a port, answers as it is told, then passes bytes
 * on.
 */
final class VsockFront implements AutoCloseable {
    private final ServerSocketChannel listener;
    private final List<byte[]> answer;
    private final Path guest;
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

    /** @param answer written piece by piece; then the connection ends when there is no guest */
    private VsockFront(ServerSocketChannel listener, List<byte[]> answer, Path guest) {
        this.listener = listener;
        this.answer = answer;
        this.guest = guest;
    }

    static VsockFront start(Path socket, Path guest, byte[]... answer) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        VsockFront front = new VsockFront(listener, List.of(answer), guest);
        Thread.ofVirtual().start(front::accept);
        return front;
    }

    /** The first line of the next connection. */
    String request() throws InterruptedException {
        return requests.take();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel host = listener.accept();
                Thread.ofVirtual().start(() -> serve(host));
            }
        } catch (IOException e) {
            requests.add("closed: " + e);
        }
    }

    private void serve(SocketChannel host) {
        try (host) {
            StringBuilder line = new StringBuilder();
            ByteBuffer one = ByteBuffer.allocate(1);
            while (line.indexOf("\n") < 0 && host.read(one.clear()) > 0) {
                line.append((char) one.get(0));
            }
            requests.add(line.toString());
            for (byte[] piece : answer) {
                host.write(ByteBuffer.wrap(piece));
            }
            if (guest != null) {
                try (SocketChannel inside = SocketChannel.open(UnixDomainSocketAddress.of(guest))) {
                    Thread back = Thread.ofVirtual().start(() -> copy(inside, host));
                    copy(host, inside);
                    back.join();
                }
            }
        } catch (IOException | InterruptedException e) {
            requests.add("broken: " + e);
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        try {
            Channels.newInputStream(from).transferTo(Channels.newOutputStream(to));
            to.shutdownOutput();
        } catch (IOException e) {
            // The other direction has ended the connection.
            return;
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
