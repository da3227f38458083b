package io.carlos.deploy.inside;

import io.carlos.deploy.inside.ControlClient.Answer;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** A connection of the control channel that is kept, as the agent keeps its own: one request after the other. */
final class ControlConnection implements AutoCloseable {
    private static final String LENGTH = "\r\ncontent-length: ";
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final SocketChannel channel;
    private final ByteBuffer received = ByteBuffer.allocate(64 * 1024);

    ControlConnection(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    Answer post(String path) throws IOException {
        return call("POST " + path);
    }

    Answer get(String path) throws IOException {
        return call("GET " + path);
    }

    private Answer call(String request) throws IOException {
        ByteBuffer head = StandardCharsets.US_ASCII.encode(
                request + " HTTP/1.1\r\nHost: carlos\r\nContent-Length: 0" + END_OF_HEAD);
        while (head.hasRemaining()) {
            channel.write(head);
        }
        received.clear();
        while (true) {
            if (channel.read(received) < 0) {
                throw new IOException(request + ": the connection ended without an answer");
            }
            String text = new String(received.array(), 0, received.position(), StandardCharsets.UTF_8);
            if (isWhole(text)) {
                return new Answer(Integer.parseInt(text.split(" ", 3)[1]), text);
            }
        }
    }

    private boolean isWhole(String text) {
        int body = text.indexOf(END_OF_HEAD) + END_OF_HEAD.length();
        return body >= END_OF_HEAD.length() && received.position() >= body + length(text.substring(0, body));
    }

    private static int length(String head) {
        int at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        return at < 0
                ? 0
                : Integer.parseInt(head.substring(at + LENGTH.length()).split("\r\n", 2)[0]);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
