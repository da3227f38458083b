package io.carlos.model.runs;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What was asked for; stored before the record names the run, and never changed. A value of this type is within the
 * limits below.
 *
 * @param incarnation of the record it was asked of; a host deleted and made again is another
 * @param timeoutS seconds the command may take
 */
public record RunRequest(
        int schema,
        RunId id,
        Account account,
        App app,
        Host host,
        Incarnation incarnation,
        List<String> argv,
        long timeoutS,
        Instant requestedAt,
        String requestedBy,
        List<InputFile> files) {
    public static final int SCHEMA = 1;
    public static final int MAX_ARGUMENTS = 256;
    public static final int MAX_ARGUMENT_BYTES = 128 * 1024;
    public static final int MAX_FILES = 32;
    public static final int MAX_FILE_BYTES = 16 * 1024 * 1024;
    public static final Duration MIN_TIMEOUT = Duration.ofSeconds(1);
    public static final Duration MAX_TIMEOUT = Duration.ofHours(24);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);

    /** @throws InvalidRunException when a limit is passed; the message names it and what was given */
    public RunRequest {
        argv = List.copyOf(argv);
        files = List.copyOf(files);
        checkArguments(argv);
        checkTimeout(Duration.ofSeconds(timeoutS));
        checkFiles(files);
    }

    public RunKeys keys() {
        return new RunKeys(account, app, id);
    }

    public RecordRef recordRef() {
        return new RecordRef(account, app, host);
    }

    public Duration timeout() {
        return Duration.ofSeconds(timeoutS);
    }

    /**
     * @throws InvalidRunException when the command has no argument, too many, too long ones, or one with a NUL or
     *     without UTF-8
     */
    public static void checkArguments(List<String> argv) {
        if (argv.isEmpty()) {
            throw new InvalidRunException("there is no command: give it after --");
        }
        if (argv.size() > MAX_ARGUMENTS) {
            throw new InvalidRunException("the command has " + argv.size() + " arguments, over " + MAX_ARGUMENTS);
        }
        long bytes = 0;
        for (String argument : argv) {
            if (argument.indexOf('\0') >= 0) {
                throw new InvalidRunException("an argument of the command holds a NUL character");
            }
            if (!Utf8.isEncodable(argument)) {
                throw new InvalidRunException(
                        "an argument of the command has no UTF-8: it holds half a surrogate pair");
            }
            bytes += argument.getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > MAX_ARGUMENT_BYTES) {
            throw new InvalidRunException("the command's arguments are " + bytes + " bytes, over " + MAX_ARGUMENT_BYTES
                    + ": put long values into a file");
        }
    }

    /** @throws InvalidRunException when the timeout is under a second or over a day */
    public static void checkTimeout(Duration timeout) {
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new InvalidRunException("the timeout is 1 second to 24 hours, not " + timeout.toSeconds() + " s");
        }
    }

    private static void checkFiles(List<InputFile> files) {
        if (files.size() > MAX_FILES) {
            throw new InvalidRunException("there are " + files.size() + " input files, over " + MAX_FILES);
        }
        Set<String> names = new HashSet<>();
        for (InputFile file : files) {
            if (file.size() < 0 || file.size() > MAX_FILE_BYTES) {
                throw new InvalidRunException(
                        "the input file " + file.name() + " has " + file.size() + " bytes, over " + MAX_FILE_BYTES);
            }
            if (!names.add(file.name().value())) {
                throw new InvalidRunException("two input files are called " + file.name());
            }
        }
    }
}
