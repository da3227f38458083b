package io.carlos.agent.instance;

import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.StatusFile;
import java.util.Optional;

/**
 * How a unit ended, of which nothing runs any more. Pure.
 *
 * @param status what its trampoline wrote; empty when it never came to run its program
 * @param exit how systemd saw the end; it only words it
 */
record UnitEnd(Optional<StatusFile> status, Optional<ExitRecord> exit) {
    private static final String OUT_OF_MEMORY = "oom-kill";
    private static final String TIMEOUT = "timeout";
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_THERE = 127;

    /** Fits after "the program". */
    String words() {
        if (exit.map(ExitRecord::result).filter(OUT_OF_MEMORY::equals).isPresent()) {
            return "was ended for it was out of memory";
        }
        return status.map(this::words).orElseGet(() -> "was never started" + seenFromOutside());
    }

    private String words(StatusFile file) {
        return switch (file.cause()) {
            case EXITED -> "exited with " + file.status();
            case KILLED -> "was killed by signal " + signal(file.status());
            case REFUSED -> refusal(file.status());
            case RUNNING -> "was killed from outside" + seenFromOutside();
        };
    }

    private static String refusal(int status) {
        return switch (status) {
            case NOT_EXECUTABLE -> "is not executable";
            case NOT_THERE -> "is not there";
            default -> "was refused by the trampoline, whose log line says why";
        };
    }

    private String seenFromOutside() {
        return exit.filter(record -> !record.result().isEmpty())
                .map(record ->
                        " (systemd: " + (record.result() + " " + record.code() + " " + record.status()).strip() + ")")
                .orElse("");
    }

    private static String signal(int number) {
        String name = switch (number) {
            case 1 -> " (SIGHUP)";
            case 2 -> " (SIGINT)";
            case 3 -> " (SIGQUIT)";
            case 4 -> " (SIGILL)";
            case 6 -> " (SIGABRT)";
            case 7 -> " (SIGBUS)";
            case 8 -> " (SIGFPE)";
            case 9 -> " (SIGKILL)";
            case 11 -> " (SIGSEGV)";
            case 13 -> " (SIGPIPE)";
            case 15 -> " (SIGTERM)";
            case 31 -> " (SIGSYS)";
            default -> "";
        };
        return number + name;
    }

    /**
     * Whether a seed did all it had to: its own word for it, unless systemd ended it, after which it may have exited with 0 as well.
     *
     * @param result systemd's {@code Result} of the seed
     */
    boolean isSeeded(String result) {
        boolean exitedWithZero = status.filter(file -> file.cause() == StatusFile.Cause.EXITED && file.status() == 0)
                .isPresent();
        return exitedWithZero && !result.equals(TIMEOUT) && !result.equals(OUT_OF_MEMORY);
    }
}
