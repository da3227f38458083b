package io.carlos.cli.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Answers requests on a unix socket in the order in which the answers were given, one a connection. */
public final class StandInAgent implements AutoCloseable {
    private static final int NONE = 0;

    private final ServerSocketChannel server;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private record Answer(int status, String type, String body) {}

    private StandInAgent(ServerSocketChannel server) {
        this.server = server;
    }

    public static StandInAgent on(Path socket) throws IOException {
        StandInAgent agent = new StandInAgent(
                ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket)));
        Thread.ofVirtual().start(agent::serve);
        return agent;
    }

    public StandInAgent answer(String json) {
        answers.add(new Answer(200, "application/json", json));
        return this;
    }

    public StandInAgent answerNothing() {
        answers.add(new Answer(204, "", ""));
        return this;
    }

    public StandInAgent refuse(int status, String detail) {
        answers.add(new Answer(
                status,
                "application/problem+json",
                "{\"type\":\"about:blank\",\"title\":\"No\",\"status\":" + status + ",\"detail\":\"" + detail + "\"}"));
        return this;
    }

    public StandInAgent answerPlainly(int status, String text) {
        answers.add(new Answer(status, "text/plain", text));
        return this;
    }

    /** Reads a request, and closes its connection. */
    public StandInAgent hangUp() {
        answers.add(new Answer(NONE, "", ""));
        return this;
    }

    /** Method and target of each, in their order. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    private void serve() {
        try {
            while (true) {
                try (SocketChannel client = server.accept()) {
                    serve(client);
                }
            }
        } catch (ClosedChannelException e) {
            // The test is over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended.complete(null);
        }
    }

    private void serve(SocketChannel client) throws IOException {
        BufferedReader head =
                new BufferedReader(new InputStreamReader(Channels.newInputStream(client), StandardCharsets.US_ASCII));
        String first = head.readLine();
        if (first == null) {
            return;
        }
        requests.add(first.substring(0, first.lastIndexOf(' ')));
        for (String line = first; !line.isEmpty(); line = head.readLine()) {
            // No request has a body.
        }
        Answer answer = answers.remove();
        if (answer.status() == NONE) {
            return;
        }
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        String type = answer.type().isEmpty() ? "" : "Content-Type: " + answer.type() + "\r\n";
        String length = answer.status() == 204 ? "" : "Content-Length: " + body.length + "\r\n";
        String answered = "HTTP/1.1 " + answer.status() + " X\r\n" + type + length + "Connection: close\r\n\r\n";
        client.write(ByteBuffer.wrap(answered.getBytes(StandardCharsets.US_ASCII)));
        client.write(ByteBuffer.wrap(body));
    }

    /** Nobody is connected to it any more when it returns. */
    @Override
    public void close() throws IOException {
        server.close();
        ended.join();
    }
}
