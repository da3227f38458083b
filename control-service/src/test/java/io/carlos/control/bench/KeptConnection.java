package io.carlos.control.bench;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** Asks one request after the other on one connection. */
final class KeptConnection implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer received = ByteBuffer.allocate(64 * 1024);

    KeptConnection(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    /** The status of an answer that comes whole. */
    int ask(String methodAndTarget) throws IOException {
        ByteBuffer request = StandardCharsets.US_ASCII.encode(methodAndTarget + " HTTP/1.1\r\nHost: x\r\n\r\n");
        while (request.hasRemaining()) {
            channel.write(request);
        }
        received.clear();
        while (true) {
            if (channel.read(received) < 0) {
                throw new IOException(methodAndTarget + ": the connection ended");
            }
            String text = new String(received.array(), 0, received.position(), StandardCharsets.US_ASCII);
            int head = text.indexOf("\r\n\r\n");
            if (head >= 0 && text.length() >= head + 4 + contentLength(text)) {
                return Integer.parseInt(text.substring(9, 12));
            }
        }
    }

    private static int contentLength(String answer) {
        String name = "\r\ncontent-length: ";
        int at = answer.toLowerCase(Locale.ROOT).indexOf(name);
        return at < 0
                ? 0
                : Integer.parseInt(answer.substring(at + name.length(), answer.indexOf('\r', at + name.length())));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
