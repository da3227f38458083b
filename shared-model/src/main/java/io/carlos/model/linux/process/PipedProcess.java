package io.carlos.model.linux.process;

/**
 * A process that was started, with all three of its streams. The four are the caller's to reap and close.
 *
 * @param stdin what is written to it the process reads; closing it is the end of its standard input
 * @param stdout ends when the process and all that inherited its standard output have closed it
 * @param stderr the same of its standard error
 */
public record PipedProcess(ChildProcess child, PipeWriter stdin, PipeReader stdout, PipeReader stderr) {
    /** For a process that nobody will follow. */
    public void closeStreams() {
        stdin.close();
        stdout.close();
        stderr.close();
    }
}
