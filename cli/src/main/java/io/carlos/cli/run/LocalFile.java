package io.carlos.cli.run;

import io.carlos.cli.exit.CliException;
import io.carlos.model.names.InputFileName;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.runs.InvalidRunException;
import io.carlos.model.runs.RunInput;
import io.carlos.model.runs.RunRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** An input file of a run, on this machine: {@code --file NAME}, or {@code --file NAME=PATH} for a file elsewhere. */
record LocalFile(InputFileName name, Path path) implements RunInput {

    static LocalFile of(String option) {
        int equals = option.indexOf('=');
        String name = equals < 0 ? option : option.substring(0, equals);
        String path = equals < 0 ? option : option.substring(equals + 1);
        if (equals < 0 && option.contains("/")) {
            String last = option.substring(option.lastIndexOf('/') + 1);
            throw CliException.usage("an input file's name holds no \"/\": name it in the run's directory with --file "
                    + (last.isEmpty() ? "NAME" : last) + "=" + option);
        }
        try {
            return new LocalFile(InputFileName.of(name), Path.of(path));
        } catch (InvalidNameException | InvalidPathException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public byte[] read() throws IOException {
        if (Files.isDirectory(path)) {
            throw new InvalidRunException("the input file " + path + " is a directory");
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] content = in.readNBytes(RunRequest.MAX_FILE_BYTES + 1);
            if (content.length > RunRequest.MAX_FILE_BYTES) {
                throw new InvalidRunException("the input file " + path + " is over "
                        + RunRequest.MAX_FILE_BYTES / (1024 * 1024) + " MiB: put it where the command can fetch it");
            }
            return content;
        } catch (NoSuchFileException e) {
            throw new InvalidRunException("there is no input file " + path);
        } catch (AccessDeniedException e) {
            throw new InvalidRunException("the input file " + path + " may not be read by this user");
        }
    }
}
