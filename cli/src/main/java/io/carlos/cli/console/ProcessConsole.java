package io.carlos.cli.console;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** The console of the process this JVM is. */
public final class ProcessConsole implements Console {
    private final InputStream in = new FileInputStream(FileDescriptor.in);
    private final OutputStream out = new DescriptorOutput(StandardStream.OUT, FileDescriptor.out);
    private final OutputStream err = new DescriptorOutput(StandardStream.ERR, FileDescriptor.err);
    private final Map<String, String> environment;

    /** @param environment the environment variables, of which NO_COLOR and TERM are looked at */
    public ProcessConsole(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public InputStream borrowedIn() {
        return new BorrowedInput(in, StandardStream.IN.descriptor());
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
        return DescriptorType.of(stream.descriptor()) == DescriptorType.TERMINAL;
    }

    @Override
    public boolean colours() {
        return isTerminal(StandardStream.OUT)
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }
}
