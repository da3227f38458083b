package io.carlos.store.s3;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy in front of an S3 server that makes writes fail as networks and servers do, at random from a seed. Reads and
 * listings pass untouched. Signatures stay valid, since what they cover is passed on as it came.
 */
public final class FaultProxy implements AutoCloseable {
    /** What may happen to a write. */
    public enum Fault {
        /** The server is not asked, and the connection breaks. */
        LOSE_REQUEST,
        /** The server does it, and the connection breaks. */
        LOSE_ANSWER,
        /** The server does it, and its client is told of an internal error. */
        ERROR_AFTER_WRITE,
        /** The server is not asked, and its client is told that another write was under way. */
        RACE,
        /** The server is asked somewhat later. */
        DELAY
    }

    private static final Duration LONGEST_DELAY = Duration.ofMillis(50);

    private final URI server;
    private final Random random;
    private final Map<Fault, Double> probabilities;
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final WireServer listener;

    /**
     * @param seed equal seeds give equal faults for equal sequences of writes; print it when a test fails
     * @param probabilities of each fault, at most 1 together
     */
    public FaultProxy(URI server, long seed, Map<Fault, Double> probabilities) throws IOException {
        this.server = server;
        this.random = new Random(seed);
        this.probabilities = new EnumMap<>(Fault.class);
        this.probabilities.putAll(probabilities);
        this.listener = WireServer.answering(this::answer);
    }

    /** From now on writes fail so, as far as they have not reached the proxy yet. */
    public synchronized void fail(Map<Fault, Double> from) {
        probabilities.clear();
        probabilities.putAll(from);
    }

    /** Where clients of the server connect instead. */
    public URI uri() {
        return listener.uri();
    }

    /** How often this has happened. */
    public synchronized int count(Fault fault) {
        return counts.getOrDefault(fault, 0);
    }

    private WireServer.Answer answer(WireServer.Request request) throws IOException {
        Fault fault = isWrite(request) ? draw() : null;
        return switch (fault) {
            case null -> forward(request);
            case LOSE_REQUEST -> new WireServer.Answer.Lost();
            case LOSE_ANSWER -> {
                forward(request);
                yield new WireServer.Answer.Lost();
            }
            case ERROR_AFTER_WRITE -> {
                forward(request);
                yield Answers.error(500, "InternalError");
            }
            case RACE -> Answers.error(409, "ConditionalRequestConflict");
            case DELAY -> {
                LockSupport.parkNanos(delayNanos());
                yield forward(request);
            }
        };
    }

    private static boolean isWrite(WireServer.Request request) {
        return request.method().equals("PUT") || request.method().equals("DELETE");
    }

    private synchronized Fault draw() {
        double left = random.nextDouble();
        for (Map.Entry<Fault, Double> one : probabilities.entrySet()) {
            left -= one.getValue();
            if (left < 0) {
                counts.merge(one.getKey(), 1, Integer::sum);
                return one.getKey();
            }
        }
        return null;
    }

    private synchronized long delayNanos() {
        return random.nextLong(LONGEST_DELAY.toNanos());
    }

    /** One connection for each request, whose end is the end of the answer, whatever kind of answer it is. */
    private WireServer.Answer forward(WireServer.Request request) throws IOException {
        String head = new String(request.head(), StandardCharsets.ISO_8859_1);
        String once = head.replaceAll("(?im)^(connection|expect):.*\r\n", "").replaceFirst("\r\n\r\n$", "\r\n")
                + "Connection: close\r\n\r\n";
        try (Socket connection = new Socket(server.getHost(), server.getPort())) {
            connection.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
            OutputStream out = connection.getOutputStream();
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            whole.writeBytes(once.getBytes(StandardCharsets.ISO_8859_1));
            whole.writeBytes(request.body());
            whole.writeTo(out);
            return new WireServer.Answer.LastBytes(
                    saysThatItIsTheLast(connection.getInputStream().readAllBytes()));
        }
    }

    private static byte[] saysThatItIsTheLast(byte[] answer) {
        String text = new String(answer, StandardCharsets.ISO_8859_1)
                .replaceFirst("\r\n(?i:connection: (close|keep-alive))?", "\r\nConnection: close\r\n");
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
