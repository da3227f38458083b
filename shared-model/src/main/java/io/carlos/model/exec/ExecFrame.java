package io.carlos.model.exec;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One piece of a stream: a byte for its type, four for the payload's length, the most significant first, and the payload.
 *
 * @param payload not copied
 */
public record ExecFrame(FrameType type, byte[] payload) {
    /** The most that one frame carries of a stream, in bytes. */
    public static final int MAX_DATA = 32 * 1024;

    /** The longest document, in bytes. */
    public static final int MAX_DOCUMENT = 2 * 1024 * 1024;

    /** How many bytes of input may be under way that the command has not taken. */
    public static final int STDIN_WINDOW = 8 * MAX_DATA;

    private static final int HEAD_LENGTH = 1 + Integer.BYTES;
    private static final byte[] NOTHING = new byte[0];

    public ExecFrame {
        if (payload.length > type.maxLength()) {
            throw new IllegalArgumentException(
                    "a frame " + type + " of " + payload.length + " bytes: expected at most " + type.maxLength());
        }
    }

    public static ExecFrame of(FrameType type) {
        return new ExecFrame(type, NOTHING);
    }

    public static ExecFrame taken(int bytes) {
        return new ExecFrame(
                FrameType.STDIN_TAKEN,
                ByteBuffer.allocate(Integer.BYTES).putInt(bytes).array());
    }

    /**
     * How many bytes a {@link FrameType#STDIN_TAKEN} tells of.
     *
     * @throws IOException the number makes no sense
     */
    public int taken() throws IOException {
        int bytes = payload.length == Integer.BYTES ? ByteBuffer.wrap(payload).getInt() : -1;
        if (bytes < 0 || bytes > STDIN_WINDOW) {
            throw new IOException("a frame " + type + ": expected a number from 0 to " + STDIN_WINDOW);
        }
        return bytes;
    }

    /** Writes it as a whole, by one call. */
    public void writeTo(OutputStream out) throws IOException {
        out.write(ByteBuffer.allocate(HEAD_LENGTH + payload.length)
                .put((byte) type.code())
                .putInt(payload.length)
                .put(payload)
                .array());
    }

    /**
     * Waits for the next one.
     *
     * @return empty when the stream has ended before it
     * @throws IOException the stream failed or ended in the middle of it, or what came is no frame
     */
    public static Optional<ExecFrame> readFrom(InputStream in) throws IOException {
        int code = in.read();
        if (code < 0) {
            return Optional.empty();
        }
        FrameType type = type(code);
        int length = new DataInputStream(in).readInt();
        if (length < 0 || length > type.maxLength()) {
            throw new IOException("a frame " + type + " of " + Integer.toUnsignedString(length)
                    + " bytes: expected at most " + type.maxLength());
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new EOFException("a frame " + type + " ends after " + payload.length + " of " + length + " bytes");
        }
        return Optional.of(new ExecFrame(type, payload));
    }

    private static FrameType type(int code) throws IOException {
        for (FrameType type : FrameType.values()) {
            if (type.code() == code) {
                return type;
            }
        }
        throw new IOException("a frame of type " + code + ": there is no such type");
    }
}
