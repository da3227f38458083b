package io.carlos.agent.container;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * A command with its streams attached. They are as those of a {@link Process}: closing {@code stdin} is the end of the
 * command's input; both outputs must be read, or closed, for the command not to wait for ever. Closing this gives the
 * command up and kills what is left of it.
 *
 * @param stdin throws an {@link java.io.IOException} once the command has ended
 */
public record StreamingExec(OutputStream stdin, InputStream stdout, InputStream stderr, ChildHandle child)
        implements AutoCloseable {
    @Override
    public void close() {
        child.kill();
    }
}
