package io.carlos.agent.service.vm;

import io.carlos.model.exec.ExecCommand;
import io.carlos.model.exec.ExecEnd;
import io.carlos.model.exec.ExecFrame;
import io.carlos.model.exec.FrameType;
import io.carlos.model.json.CarlosJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;

/** One command over a connection of its own, frame by frame. */
final class ExecClient implements AutoCloseable {
    private final SocketChannel connection;
    private final OutputStream out;
    private final SessionInputBufferImpl buffer = new SessionInputBufferImpl(8192);
    private final int status;
    private final InputStream in;
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private int credit = ExecFrame.STDIN_WINDOW;

    /** Returns when the head of the answer is there. */
    ExecClient(Path socket, String vm, ExecCommand command) throws IOException, HttpException {
        this(socket, vm, new ExecFrame(FrameType.COMMAND, CarlosJson.write(command)));
    }

    ExecClient(Path socket, String vm, ExecFrame first) throws IOException, HttpException {
        connection = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        out = Channels.newOutputStream(connection);
        String head =
                "POST /admin/v1/vms/" + vm + "/exec HTTP/1.1\r\nHost: agent\r\nTransfer-Encoding: chunked\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        send(first);
        InputStream raw = Channels.newInputStream(connection);
        ClassicHttpResponse response = new DefaultHttpResponseParser().parse(buffer, raw);
        status = response.getCode();
        in = new ChunkedInputStream(buffer, raw);
    }

    int status() {
        return status;
    }

    String problem() throws IOException {
        byte[] body = new byte[4096];
        int length = buffer.read(body, Channels.newInputStream(connection));
        return new String(body, 0, length, StandardCharsets.UTF_8);
    }

    void send(ExecFrame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.writeTo(bytes);
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        chunk.writeBytes((Integer.toHexString(bytes.size()) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        bytes.writeTo(chunk);
        chunk.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        chunk.writeTo(out);
    }

    ExecFrame read() throws IOException {
        return ExecFrame.readFrom(in).orElseThrow(() -> new IOException("the answer has ended"));
    }

    /** Sends all of it within the window, and the end of the input. */
    void feed(byte[] input) throws IOException {
        int done = 0;
        while (done < input.length) {
            while (credit == 0) {
                receive(read());
            }
            int length = Math.min(Math.min(credit, ExecFrame.MAX_DATA), input.length - done);
            byte[] piece = new byte[length];
            System.arraycopy(input, done, piece, 0, length);
            send(new ExecFrame(FrameType.STDIN, piece));
            credit -= length;
            done += length;
        }
        send(ExecFrame.of(FrameType.END_OF_STDIN));
    }

    private void receive(ExecFrame frame) throws IOException {
        switch (frame.type()) {
            case STDOUT -> stdout.writeBytes(frame.payload());
            case STDERR -> stderr.writeBytes(frame.payload());
            case STDIN_TAKEN -> credit += frame.taken();
            case STDIN, END_OF_STDIN, TERMINATE, KILL, COMMAND, END -> throw new IOException("unexpected " + frame);
        }
    }

    /** Reads to the end. */
    ExecEnd awaitEnd() throws IOException {
        ExecFrame next = read();
        while (next.type() != FrameType.END) {
            receive(next);
            next = read();
        }
        return CarlosJson.read("end", next.payload(), ExecEnd.class);
    }

    /** Reads until there is that much of standard output. */
    String awaitOut(String text) throws IOException {
        while (!out().contains(text)) {
            receive(read());
        }
        return out();
    }

    String out() {
        return stdout.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return stderr.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
