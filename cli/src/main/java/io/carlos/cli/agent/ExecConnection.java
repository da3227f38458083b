package io.carlos.cli.agent;

import io.carlos.model.exec.ExecCommand;
import io.carlos.model.exec.ExecFrame;
import io.carlos.model.exec.FrameType;
import io.carlos.model.json.CarlosJson;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.impl.io.ChunkedOutputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.springframework.http.HttpStatus;

/**
 * One running command of a machine, see {@link io.carlos.model.exec}. Any thread may send while another one reads; an
 * interrupt of either closes the connection. Closing it kills the command.
 */
public final class ExecConnection implements AutoCloseable {
    private static final int BUFFER_LENGTH = ExecFrame.MAX_DATA;

    private final SocketChannel connection;
    private final OutputStream request;
    private final InputStream answer;
    private final ReentrantLock sending = new ReentrantLock();

    private ExecConnection(SocketChannel connection, OutputStream request, InputStream answer) {
        this.connection = connection;
        this.request = request;
        this.answer = answer;
    }

    /**
     * @throws java.net.ConnectException nobody was reached
     * @throws io.carlos.cli.exit.CliException the command was refused
     */
    static ExecConnection open(Path socket, String path, ExecCommand command) throws IOException {
        SocketChannel connection = SocketRequests.connect(socket);
        boolean opened = false;
        try {
            // Head and command are sent as one: an agent that refuses them may hang up as soon as it has read the head.
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(connection), 2 * BUFFER_LENGTH);
            out.write(
                    ("POST " + path + " HTTP/1.1\r\nHost: agent\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
                                    + "Content-Type: application/octet-stream\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            OutputStream request =
                    new ChunkedOutputStream(new SessionOutputBufferImpl(BUFFER_LENGTH), out, BUFFER_LENGTH);
            new ExecFrame(FrameType.COMMAND, CarlosJson.write(command)).writeTo(request);
            request.flush();
            ExecConnection exec = new ExecConnection(connection, request, answer(Channels.newInputStream(connection)));
            opened = true;
            return exec;
        } catch (HttpException e) {
            throw new IOException("what answers speaks no HTTP: " + e.getMessage(), e);
        } finally {
            if (!opened) {
                connection.close();
            }
        }
    }

    private static InputStream answer(InputStream in) throws IOException, HttpException {
        SessionInputBuffer buffer = new SessionInputBufferImpl(BUFFER_LENGTH);
        ClassicHttpResponse response = new DefaultHttpResponseParser().parse(buffer, in);
        if (response == null) {
            throw new NoHttpResponseException("no answer");
        }
        InputStream body = SocketRequests.body(response, buffer, in);
        if (response.getCode() != HttpStatus.OK.value()) {
            throw AgentClient.refusal(response.getCode(), body.readAllBytes());
        }
        return body;
    }

    /** Returns when the kernel has it; waits for an agent that is slow to read. */
    public void send(ExecFrame frame) throws IOException {
        sending.lock();
        try {
            frame.writeTo(request);
            request.flush();
        } finally {
            sending.unlock();
        }
    }

    /** Waits for the next frame; empty when the agent has ended the connection. */
    public Optional<ExecFrame> read() throws IOException {
        return ExecFrame.readFrom(answer);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
