package io.carlos.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A file descriptor written to without a buffer; failures are told apart by what the descriptor leads to. */
final class DescriptorOutput extends OutputStream {
    private final StandardStream stream;
    private final FileOutputStream descriptor;

    DescriptorOutput(StandardStream stream, FileDescriptor descriptor) {
        this.stream = stream;
        this.descriptor = new FileOutputStream(descriptor);
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            descriptor.write(bytes, offset, length);
        } catch (IOException e) {
            // A pipe, a socket and a terminal have no disk to fill: writing to them fails when the other end has gone.
            boolean readerGone = DescriptorType.of(stream.descriptor()) != DescriptorType.OTHER;
            throw new OutputException(stream, readerGone, e);
        }
    }

    /** The descriptor stays open: it belongs to the process. */
    @Override
    public void close() {}
}
