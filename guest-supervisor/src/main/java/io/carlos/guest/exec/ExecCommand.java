package io.carlos.guest.exec;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.Printable;
import io.carlos.model.linux.process.ProgramLookup;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command as it is to run.
 *
 * @param uid unsigned; neither 0 nor the largest, which the kernel takes for "as it is": root, that is
 * @param environment all of it
 * @param workingDirectory absolute
 * @param controlGroup the directory of its control group, for a starter that can have it enter before its program runs
 */
public record ExecCommand(
        List<String> argv,
        int uid,
        Map<String, String> environment,
        Path workingDirectory,
        Optional<Path> controlGroup) {
    private static final int NO_CHANGE = -1;

    public ExecCommand {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }

    /** @throws ExecRefusedException when it could never run */
    public static ExecCommand of(
            List<String> argv, int uid, Map<String, String> base, Map<String, String> own, String workingDirectory)
            throws ExecRefusedException {
        if (argv.isEmpty() || argv.getFirst().isEmpty()) {
            throw new ExecRefusedException(Reason.ARGUMENT, "the command is empty; it starts with a program's name");
        }
        for (int i = 0; i < argv.size(); i++) {
            requireNoNul("argument " + i, argv.get(i));
        }
        requireIdentity(uid);
        Map<String, String> environment = new HashMap<>(base);
        environment.putAll(own);
        requireEnvironment(environment);
        requireNoNul("the working directory", workingDirectory);
        if (!workingDirectory.startsWith("/")) {
            throw new ExecRefusedException(
                    Reason.ARGUMENT,
                    "the working directory is \"" + Printable.shortened(workingDirectory)
                            + "\"; expected an absolute path");
        }
        return new ExecCommand(argv, uid, environment, Path.of(workingDirectory), Optional.empty());
    }

    /** @throws ExecRefusedException for root, by any of its numbers */
    public static void requireIdentity(int uid) throws ExecRefusedException {
        if (uid == 0 || uid == NO_CHANGE) {
            throw new ExecRefusedException(
                    Reason.IDENTITY,
                    "uid " + Integer.toUnsignedString(uid) + ": commands never run as root; name another user");
        }
    }

    /** @throws ExecRefusedException when a name or value cannot be passed on as it is */
    public static void requireEnvironment(Map<String, String> environment) throws ExecRefusedException {
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new ExecRefusedException(
                        Reason.ARGUMENT,
                        "the environment variable name \"" + Printable.shortened(name) + "\" is empty or has a '='");
            }
            requireNoNul("an environment variable's name", name);
            requireNoNul("the environment variable " + Printable.shortened(name), variable.getValue());
        }
    }

    private static void requireNoNul(String what, String text) throws ExecRefusedException {
        int position = text.indexOf('\0');
        if (position >= 0) {
            throw new ExecRefusedException(Reason.ARGUMENT, what + " has a NUL at position " + position);
        }
    }

    String program() {
        return argv.getFirst();
    }

    /** Where a program without a slash in its name is looked for. */
    String searchPath() {
        return environment.getOrDefault("PATH", ProgramLookup.DEFAULT_PATH);
    }

    ExecCommand with(String name, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(name, value);
        return new ExecCommand(argv, uid, more, workingDirectory, controlGroup);
    }

    ExecCommand in(Path group) {
        return new ExecCommand(argv, uid, environment, workingDirectory, Optional.of(group));
    }
}
