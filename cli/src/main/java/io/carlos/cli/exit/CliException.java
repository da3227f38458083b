package io.carlos.cli.exit;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and one sentence for the user, which says what is wrong and what to do next. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final CliExit exit;

    /** @param sentence without a full stop, a prefix or a line break */
    public CliException(CliExit exit, String sentence) {
        this(exit, sentence, null);
    }

    /** @param cause shown with {@code --verbose} */
    public CliException(CliExit exit, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.exit = exit;
    }

    public static CliException usage(String sentence) {
        return new CliException(CliExit.USAGE, sentence);
    }

    public CliExit exit() {
        return exit;
    }

    /** The sentence. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
