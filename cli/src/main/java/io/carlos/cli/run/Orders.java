package io.carlos.cli.run;

import io.carlos.cli.exit.CliException;
import io.carlos.model.runs.InvalidRunException;
import io.carlos.model.runs.RunInput;
import io.carlos.model.runs.RunRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/** The parts of a run's order that the command line gives. */
final class Orders {
    private Orders() {}

    /** @throws CliException when such a run cannot be asked for, before anything is opened or read */
    static void check(List<String> argv, Duration timeout) {
        try {
            RunRequest.checkArguments(argv);
            RunRequest.checkTimeout(timeout);
        } catch (InvalidRunException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    static List<RunInput> inputs(List<String> files) {
        return files.stream().<RunInput>map(LocalFile::of).toList();
    }

    /** {@code user@machine}, for the people who look at the run later; nothing is decided by it. */
    static String whoAsks() {
        String machine;
        try {
            machine = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            machine = "localhost";
        }
        return System.getProperty("user.name") + "@" + machine;
    }
}
