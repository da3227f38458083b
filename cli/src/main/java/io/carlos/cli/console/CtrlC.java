package io.carlos.cli.console;

import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * What Ctrl-C does while this is open, in place of ending the process with exit code 130. Opened inside another one, it goes before that one,
 * which is back in place after the close.
 */
public final class CtrlC implements AutoCloseable {
    private static final String SIGNAL = "INT";

    private final @Nullable Object previous;

    private CtrlC(@Nullable Object previous) {
        this.previous = previous;
    }

    /** @param handler runs on a thread of its own at each Ctrl-C */
    public static CtrlC handledBy(Runnable handler) {
        return new CtrlC(Signals.register(SIGNAL, handler));
    }

    @Override
    public void close() {
        Signals.unregister(SIGNAL, previous);
    }
}
