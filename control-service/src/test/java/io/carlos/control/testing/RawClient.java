package io.carlos.control.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Bytes over a unix socket. */
public final class RawClient implements AutoCloseable {
    private final SocketChannel channel;

    private RawClient(SocketChannel channel) {
        this.channel = channel;
    }

    public static RawClient connect(Path socket) throws IOException {
        return new RawClient(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    public RawClient send(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        return this;
    }

    public RawClient request(String methodAndTarget) throws IOException {
        return send(methodAndTarget + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    /** One answer with a content length, or with none. */
    public Answer answer() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = readByte();
            if (b < 0) {
                throw new IOException("the connection ended after \"" + head + "\"");
            }
            head.write(b);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        int length = header(text, "content-length").map(Integer::parseInt).orElse(0);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (body.size() < length) {
            body.write(readByte());
        }
        return new Answer(text, body.toString(StandardCharsets.UTF_8));
    }

    private int readByte() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        return channel.read(one) < 0 ? -1 : one.get(0) & 0xff;
    }

    /** How the connection ended: every byte that came, then whether it was reset. */
    public End end() {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        try {
            Channels.newInputStream(channel).transferTo(received);
            return new End(received.size(), false);
        } catch (IOException e) {
            return new End(received.size(), true);
        }
    }

    static Optional<String> header(String head, String name) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    public record Answer(String head, String body) {
        public int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

        public Optional<String> header(String name) {
            return RawClient.header(head, name);
        }
    }

    /** @param reset the other end closed the connection with bytes that it had not read */
    public record End(int bytes, boolean reset) {}

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
