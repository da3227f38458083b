package io.carlos.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard streams of this process. Nothing is buffered or translated, since the output of a run is whatever bytes the command wrote:
 * when a write has returned, the kernel has the bytes. Writers on several threads keep their order per stream by themselves.
 */
public interface Console {
    InputStream in();

    /** {@link #in} for a while: once this is closed, no thread that waits in it takes anything of what comes. */
    InputStream borrowedIn();

    /** Its writes throw {@link OutputException}. */
    OutputStream out();

    /** Its writes throw {@link OutputException}. */
    OutputStream err();

    boolean isTerminal(StandardStream stream);

    /** Whether stdout is a terminal that shows colours to somebody who wants them. */
    boolean colours();

    /** Writes text to stdout, with a line break after it, in UTF-8. */
    default void println(String text) throws IOException {
        out().write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Writes text to stderr, with a line break after it, in UTF-8. */
    default void errorln(String text) throws IOException {
        err().write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
