package io.carlos.agent.container;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command with its streams attached. They are as those of a {@link Process}: closing {@code stdin} is the end of the
 * command's input; both outputs must be read, or closed, for the command not to wait for ever. Closing this gives the
 * command up: it kills what is left of it and throws its output away.
 *
 * @param stdin throws an {@link java.io.IOException} once the command has ended
 */
public record StreamingExec(OutputStream stdin, InputStream stdout, InputStream stderr, ChildHandle child)
        implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StreamingExec.class);

    @Override
    public void close() {
        child.kill();
        discard(stdout);
        discard(stderr);
    }

    private static void discard(InputStream output) {
        try {
            output.close();
        } catch (IOException e) {
            log.debug("container: the output of a command that was given up cannot be closed", e);
        }
    }
}
