package io.carlos.guest;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.carlos.model.guest.v1.GuestControlGrpc;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Starts the supervisor, has it answer one Health, and is gone, for the build to see which classes that loads: each time
 * the same ones.
 *
 * <p>A client of gRPC loads what its threads get to, and so do the supervisor's at the end of a connection. So the
 * request is a few bytes that are sent as one, nothing follows it, and no connection ends.
 */
final class ClassRecording {
    /** The threads that served the call are long done with it. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int CONNECTION = 0;
    private static final int CALL = 1;

    /** Not compressed, and no bytes follow. */
    private static final byte[] EMPTY_MESSAGE = new byte[5];

    private ClassRecording() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("guest-recording");
        Path socket = directory.resolve("guest.sock");
        GuestSupervisor.application().run(TrainingRun.settings(socket));
        try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            connection.connect(UnixDomainSocketAddress.of(socket));
            connection.write(ByteBuffer.wrap(healthRequest()));
            awaitAnswer(new DataInputStream(Channels.newInputStream(connection)));
            Files.delete(socket);
            Files.delete(directory);
            Thread.sleep(QUIET);
            Runtime.getRuntime().halt(0);
        }
    }

    private static byte[] healthRequest() throws IOException {
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        addHeader(headers, ":method", "POST");
        addHeader(headers, ":scheme", "http");
        addHeader(headers, ":path", "/" + GuestControlGrpc.getHealthMethod().getFullMethodName());
        addHeader(headers, ":authority", "guest");
        addHeader(headers, "content-type", "application/grpc");
        addHeader(headers, "te", "trailers");
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(PREFACE.getBytes(US_ASCII));
        addFrame(request, SETTINGS, 0, CONNECTION, new byte[0]);
        addFrame(request, HEADERS, END_HEADERS, CALL, headers.toByteArray());
        addFrame(request, DATA, END_STREAM, CALL, EMPTY_MESSAGE);
        return request.toByteArray();
    }

    /** As it is, not compressed; both are shorter than 127 bytes. */
    private static void addHeader(ByteArrayOutputStream headers, String name, String value) {
        headers.write(0);
        for (String text : new String[] {name, value}) {
            headers.write(text.length());
            headers.writeBytes(text.getBytes(US_ASCII));
        }
    }

    private static void addFrame(ByteArrayOutputStream frames, int type, int flags, int stream, byte[] payload)
            throws IOException {
        DataOutputStream frame = new DataOutputStream(frames);
        frame.writeByte(0);
        frame.writeShort(payload.length);
        frame.writeByte(type);
        frame.writeByte(flags);
        frame.writeInt(stream);
        frame.write(payload);
    }

    private static void awaitAnswer(DataInputStream frames) throws IOException {
        boolean answered = false;
        boolean ended = false;
        while (!ended) {
            int length = frames.readUnsignedByte() << 16 | frames.readUnsignedShort();
            int type = frames.readUnsignedByte();
            int flags = frames.readUnsignedByte();
            frames.skipNBytes(Integer.BYTES + length);
            answered |= type == DATA;
            ended = type == HEADERS && (flags & END_STREAM) != 0;
        }
        TrainingRun.require(answered);
    }
}
