package io.carlos.deploy.inside;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Hands every connection on to another unix socket, byte by byte, so that its peer there is this process. */
public final class Relay {
    private static final int BUFFER_BYTES = 64 * 1024;

    private Relay() {}

    public static void main(String[] arguments) throws IOException {
        Path from = Path.of(arguments[0]);
        Path to = Path.of(arguments[1]);
        Files.deleteIfExists(from);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(from));
            while (true) {
                SocketChannel client = server.accept();
                Thread.ofVirtual().start(() -> join(client, to));
            }
        }
    }

    private static void join(SocketChannel client, Path to) {
        try (client;
                SocketChannel service = SocketChannel.open(UnixDomainSocketAddress.of(to))) {
            Thread answers = Thread.ofVirtual().start(() -> copy(service, client));
            copy(client, service);
            answers.join();
        } catch (IOException e) {
            System.err.println("relay: " + to + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** To the end of the one side, which is then the end of the other. */
    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try {
            while (from.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
                buffer.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // Either side may go at any time; both are closed then.
            closeBoth(from, to);
        }
    }

    private static void closeBoth(SocketChannel one, SocketChannel other) {
        try (one;
                other) {
            // Only to close them.
        } catch (IOException e) {
            System.err.println("relay: close: " + e.getMessage());
        }
    }
}
