package io.carlos.model.linux.process;

/** A pipe on its way to a child: the write end stays here, the read end is closed as soon as the child has its copy. */
final class InputPipe implements AutoCloseable {
    private final int readEnd;
    private final PipeWriter writer;
    private boolean handedOver;

    private InputPipe(int readEnd, PipeWriter writer) {
        this.readEnd = readEnd;
        this.writer = writer;
    }

    static InputPipe open() throws ProcessCallException {
        int[] ends = new int[2];
        Libc.check("pipe2", "a child's input", () -> Libc.pipe2(ends, Libc.O_CLOEXEC));
        try {
            return new InputPipe(ends[0], new PipeWriter(ends[1]));
        } catch (ProcessCallException e) {
            Libc.close(ends[0]);
            throw e;
        }
    }

    int readEnd() {
        return readEnd;
    }

    void giveTo(UserIdentity owner) throws ProcessCallException {
        Libc.check("fchown", "a child's input", () -> Libc.fchown(readEnd, owner.uid(), owner.gid()));
    }

    PipeWriter handOver() {
        handedOver = true;
        return writer;
    }

    @Override
    public void close() {
        Libc.close(readEnd);
        if (!handedOver) {
            writer.close();
        }
    }
}
