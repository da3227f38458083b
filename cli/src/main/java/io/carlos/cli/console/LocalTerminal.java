package io.carlos.cli.console;

import io.carlos.model.exec.TerminalSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The terminal that stdin is, set by {@code stty(1)}: the interactive shell has a terminal of its own library, of which a
 * process can have only one.
 */
public final class LocalTerminal implements AutoCloseable {
    private final String before;
    private final Thread hook;

    private LocalTerminal(String before) {
        this.before = before;
        this.hook = new Thread(this::restore, "restore the terminal");
    }

    /** Empty when the terminal does not know, as a serial line does not. */
    public static Optional<TerminalSize> size() throws IOException {
        String[] numbers = stty("size").split(" ");
        int rows = Integer.parseInt(numbers[0]);
        int columns = Integer.parseInt(numbers[1]);
        return rows < 1 || columns < 1 ? Optional.empty() : Optional.of(new TerminalSize(rows, columns));
    }

    /** Has it hand on every key as it is, Ctrl-C too, and show nothing by itself, until the close or the end of the process. */
    public static LocalTerminal raw() throws IOException {
        LocalTerminal terminal = new LocalTerminal(stty("-g"));
        Runtime.getRuntime().addShutdownHook(terminal.hook);
        stty("raw", "-echo");
        return terminal;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            return; // The process is ending, and the hook is at it.
        }
        restore();
    }

    private void restore() {
        try {
            stty(before);
        } catch (IOException e) {
            throw new UncheckedIOException("the terminal is left as it is; set it right with: stty sane", e);
        }
    }

    private static String stty(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(Arrays.asList(arguments));
        Process stty = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectErrorStream(true)
                .start();
        String words = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (stty.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + words);
        }
        return words;
    }
}
