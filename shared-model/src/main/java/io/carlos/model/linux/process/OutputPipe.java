package io.carlos.model.linux.process;

/** A pipe on its way to a child: the read end stays here, the write end is closed as soon as the child has its copy. */
record OutputPipe(PipeReader reader, int writeEnd) {
    static OutputPipe open() throws ProcessCallException {
        int[] ends = new int[2];
        Libc.check("pipe2", "a child's output", () -> Libc.pipe2(ends, Libc.O_CLOEXEC));
        try {
            return new OutputPipe(new PipeReader(ends[0]), ends[1]);
        } catch (ProcessCallException e) {
            Libc.close(ends[1]);
            throw e;
        }
    }

    void closeWriteEnd() {
        Libc.close(writeEnd);
    }
}
