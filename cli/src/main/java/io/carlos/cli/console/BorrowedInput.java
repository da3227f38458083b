package io.carlos.cli.console;

import io.carlos.model.linux.DescriptorPoll;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Reads a descriptor only when that has something. A thread that waited in a plain read would still be there after the close,
 * and take what comes next from whoever reads then, such as the interactive shell.
 */
final class BorrowedInput extends InputStream {
    /** How late a waiting thread notices the close. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final InputStream lender;
    private final int descriptor;
    private volatile boolean closed;

    BorrowedInput(InputStream lender, int descriptor) {
        this.lender = lender;
        this.descriptor = descriptor;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        while (!closed) {
            if (DescriptorPoll.awaitReadable(descriptor, LOOK) && !closed) {
                return lender.read(buffer, offset, length);
            }
        }
        return -1;
    }

    /** The descriptor stays open. */
    @Override
    public void close() {
        closed = true;
    }
}
