package io.carlos.agent.control.http;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.control.ControlApi;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.linux.BootClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.impl.DefaultContentLengthStrategy;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.ContentLengthInputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.IdentityInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/**
 * Requests and their answers, each over a connection of its own: one that was kept may have been closed by the other side
 * just when a request is sent, and then nobody could say whether it was executed. Nothing is sent twice.
 *
 * <p>The protocol is read by Apache's HttpCore over the JDK's unix sockets. Its HttpClient 5.6 leaves five descriptors
 * open for each such connection, and knows no time limit on one; the JDK's client has no unix sockets.
 */
final class Exchanges {
    private static final int BUFFER_LENGTH = 8 * 1024;
    private static final byte[] NO_BODY = {};

    private final Path socket;

    Exchanges(Path socket) {
        this.socket = socket;
    }

    /**
     * Brings the answer, whatever its status.
     *
     * @param pathAndQuery beginning with a slash, encoded
     * @throws ControlException when there is none within the limit
     */
    Answer exchange(Verb verb, String pathAndQuery, Duration limit) throws ControlException, InterruptedException {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread worker = Thread.ofVirtual().name("control " + verb).start(() -> {
            try {
                answer.complete(exchange(verb, pathAndQuery));
            } catch (ControlException | RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new ControlException(Outcome.MAY_RUN, verb + ": no answer within " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ControlException failure) {
                throw failure;
            }
            throw new ControlException(Outcome.MAY_RUN, verb + ": the client failed", e);
        } finally {
            worker.interrupt(); // closes the connection of one that still waits
        }
    }

    private Answer exchange(Verb verb, String pathAndQuery) throws ControlException {
        String head = head(verb, pathAndQuery);
        try (SocketChannel connection = connect(verb)) {
            ByteBuffer request = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
            while (request.hasRemaining()) {
                connection.write(request);
            }
            return read(Channels.newInputStream(connection));
        } catch (IOException | HttpException e) {
            throw new ControlException(
                    Outcome.MAY_RUN, verb + ": the control service ended or hung up: " + e.getMessage(), e);
        }
    }

    /** The deadline is counted from here on, and so ends no later than counted from the end of the call. */
    private static String head(Verb verb, String pathAndQuery) {
        String deadline = verb.hasDeadline()
                ? ControlApi.DEADLINE + ": " + (BootClock.nanos() + ControlChannel.START_WINDOW.toNanos()) + "\r\n"
                : "";
        return verb.method() + " " + pathAndQuery + " HTTP/1.1\r\nHost: control\r\nConnection: close\r\n" + deadline
                + "\r\n";
    }

    private SocketChannel connect(Verb verb) throws ControlException {
        try {
            return SocketChannel.open(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new ControlException(
                    Outcome.NOTHING_RUNS,
                    verb + ": the control service cannot be reached at " + socket + ": " + e.getMessage(),
                    e);
        }
    }

    private static Answer read(InputStream in) throws IOException, HttpException {
        SessionInputBuffer buffer = new SessionInputBufferImpl(BUFFER_LENGTH);
        ClassicHttpResponse response = new DefaultHttpResponseParser().parse(buffer, in);
        if (response == null) {
            throw new NoHttpResponseException("no answer");
        }
        if (response.getCode() == HttpStatus.SC_NO_CONTENT) {
            return new Answer(response.getCode(), NO_BODY);
        }
        try (InputStream body = body(response, buffer, in)) {
            return new Answer(response.getCode(), body.readNBytes(CarlosJson.MAX_DOCUMENT_BYTES + 1));
        }
    }

    private static InputStream body(ClassicHttpResponse response, SessionInputBuffer buffer, InputStream in)
            throws HttpException {
        long length = DefaultContentLengthStrategy.INSTANCE.determineLength(response);
        if (length == ContentLengthStrategy.CHUNKED) {
            return new ChunkedInputStream(buffer, in);
        }
        return length >= 0 ? new ContentLengthInputStream(buffer, in, length) : new IdentityInputStream(buffer, in);
    }
}
