package io.carlos.model.linux.process;

/** The output pipes of a child that is being started; whatever was not handed over is closed with it. */
final class ChildPipes implements AutoCloseable {
    /** Stands for {@code /dev/null} in the place of a descriptor. */
    static final int NO_STDIN = -1;

    private final OutputPipe stdout;
    private final OutputPipe stderr;
    private boolean handedOver;

    private ChildPipes(OutputPipe stdout, OutputPipe stderr) {
        this.stdout = stdout;
        this.stderr = stderr;
    }

    static ChildPipes open() throws ProcessCallException {
        OutputPipe stdout = OutputPipe.open();
        try {
            return new ChildPipes(stdout, OutputPipe.open());
        } catch (ProcessCallException | RuntimeException e) {
            stdout.closeWriteEnd();
            stdout.reader().close();
            throw e;
        }
    }

    int stdout() {
        return stdout.writeEnd();
    }

    int stderr() {
        return stderr.writeEnd();
    }

    void giveTo(UserIdentity owner) throws ProcessCallException {
        for (int end : new int[] {stdout(), stderr()}) {
            Libc.check("fchown", "a child's output", () -> Libc.fchown(end, owner.uid(), owner.gid()));
        }
    }

    SpawnedProcess handOver(ChildProcess child) {
        handedOver = true;
        return new SpawnedProcess(child, stdout.reader(), stderr.reader());
    }

    @Override
    public void close() {
        for (OutputPipe pipe : new OutputPipe[] {stdout, stderr}) {
            pipe.closeWriteEnd();
            if (!handedOver) {
                pipe.reader().close();
            }
        }
    }
}
