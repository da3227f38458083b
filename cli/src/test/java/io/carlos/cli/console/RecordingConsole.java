package io.carlos.cli.console;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A console that keeps what is written to it; no terminal unless told so. */
public final class RecordingConsole implements Console {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final boolean terminal;

    public RecordingConsole() {
        this(false);
    }

    public RecordingConsole(boolean terminal) {
        this.terminal = terminal;
    }

    @Override
    public InputStream in() {
        return new ByteArrayInputStream(new byte[0]);
    }

    @Override
    public InputStream borrowedIn() {
        return in();
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public OutputStream err() {
        return err;
    }

    @Override
    public boolean isTerminal(StandardStream stream) {
        return terminal;
    }

    @Override
    public boolean colours() {
        return terminal;
    }

    public String outText() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String errText() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
