package io.carlos.agent.control.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.json.CarlosJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Answers each request on its unix socket by a script, one request a connection, each on a thread of its own. */
final class ScriptedControlService implements AutoCloseable {
    private final Path path;
    private final ServerSocketChannel server;
    private final Script script;
    private final List<String> requests = new ArrayList<>();
    private int open;
    private int mostOpen;

    /** What a request line, such as {@code GET /ready HTTP/1.1}, is answered with. */
    interface Script {
        /** @return the whole response; empty to hang up without one */
        String answer(String requestLine) throws InterruptedException;
    }

    ScriptedControlService(Path path, Script script) throws IOException {
        this.path = path;
        this.script = script;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path), 128);
        Thread.ofVirtual().start(this::acceptAll);
    }

    /** Answers everything with this status and value. */
    static ScriptedControlService answering(Path path, int status, Object body) throws IOException {
        String json = new String(CarlosJson.write(body), StandardCharsets.UTF_8);
        return new ScriptedControlService(path, request -> response(status, "application/json", json));
    }

    /** Answers everything with this status and no body. */
    static ScriptedControlService answering(Path path, int status) throws IOException {
        return new ScriptedControlService(path, request -> "HTTP/1.1 " + status + " Any\r\n\r\n");
    }

    static String response(int status, String contentType, String body) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return "HTTP/1.1 " + status + " Any\r\nContent-Type: " + contentType + "\r\nContent-Length: " + length
                + "\r\n\r\n" + body;
    }

    private void acceptAll() {
        while (server.isOpen()) {
            try {
                SocketChannel connection = server.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            String head = readHead(Channels.newInputStream(connection));
            if (head.isEmpty()) {
                return;
            }
            begin(head);
            try {
                String answer = script.answer(head.lines().findFirst().orElseThrow());
                connection.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
            } finally {
                end();
            }
        } catch (IOException | InterruptedException e) {
            // The client has gone, or the test is over.
        }
    }

    private static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private synchronized void begin(String head) {
        requests.add(head);
        open++;
        mostOpen = Math.max(mostOpen, open);
        notifyAll();
    }

    private synchronized void end() {
        open--;
        notifyAll();
    }

    synchronized void awaitOpen(int count) throws InterruptedException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (open != count) {
            assertThat(System.nanoTime()).as("%d open of %d", open, count).isLessThan(deadline);
            wait(100);
        }
    }

    synchronized int mostOpen() {
        return mostOpen;
    }

    /** The heads of all requests so far. */
    synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(path);
    }
}
