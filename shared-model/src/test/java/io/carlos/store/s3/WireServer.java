package io.carlos.store.s3;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP server on a free port of the loopback that does to each request what a test says, down to the bytes. */
final class WireServer implements AutoCloseable {
    /** A request as it came, whole. */
    record Request(byte[] head, byte[] body) {
        private List<String> lines() {
            return new String(head, StandardCharsets.ISO_8859_1).lines().toList();
        }

        String method() {
            return lines().getFirst().split(" ")[0];
        }

        String target() {
            return lines().getFirst().split(" ")[1];
        }

        Optional<String> header(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ":";
            return lines().stream()
                    .skip(1)
                    .filter(l -> l.toLowerCase(Locale.ROOT).startsWith(start))
                    .map(l -> l.substring(start.length()).strip())
                    .findFirst();
        }
    }

    /** What becomes of a request. */
    sealed interface Answer {
        /** These bytes; the connection stays unless they say otherwise. */
        record Bytes(byte[] bytes) implements Answer {}

        /** These bytes, and then the end of the connection. */
        record LastBytes(byte[] bytes) implements Answer {}

        /** The connection is closed without a byte. */
        record Lost() implements Answer {}

        /** The connection stays open and nothing is said until the server is closed. */
        record Silence() implements Answer {}
    }

    /** Called on the thread of the connection, with one request after the other. */
    @FunctionalInterface
    interface Handler {
        Answer answer(Request request) throws IOException;
    }

    private final ServerSocket listener;
    private final Handler handler;
    private final boolean headsOnly;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    private WireServer(Handler handler, boolean headsOnly) throws IOException {
        this.handler = handler;
        this.headsOnly = headsOnly;
        this.listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    static WireServer answering(Handler handler) throws IOException {
        return new WireServer(handler, false);
    }

    /** A server that hangs up after the head of a request, without having read any of its body. */
    static WireServer hangingUpAfterTheHead() throws IOException {
        return new WireServer(request -> new Answer.Lost(), true);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** Every request that came whole, in the order of arrival. */
    List<Request> requests() {
        return requests;
    }

    private void accept() {
        try {
            while (!listener.isClosed()) {
                Socket connection = listener.accept();
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException e) {
            if (!listener.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            boolean stays = true;
            while (stays) {
                Request request = read(in);
                requests.add(request);
                stays = switch (handler.answer(request)) {
                    case Answer.Bytes(byte[] bytes) -> {
                        connection.getOutputStream().write(bytes);
                        yield true;
                    }
                    case Answer.LastBytes(byte[] bytes) -> {
                        connection.getOutputStream().write(bytes);
                        yield false;
                    }
                    case Answer.Lost() -> false;
                    case Answer.Silence() -> in.read() >= 0;
                };
            }
        } catch (IOException e) {
            // The client has gone, or this server is being closed; tests see what they need on the other side.
        } finally {
            connections.remove(connection);
        }
    }

    private Request read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int newlines = 0;
        while (newlines < 2) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.write(next);
            newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
        }
        Request request = new Request(head.toByteArray(), new byte[0]);
        if (headsOnly) {
            return request;
        }
        int length = request.header("Content-Length").map(Integer::parseInt).orElse(0);
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException();
        }
        return new Request(head.toByteArray(), body);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
