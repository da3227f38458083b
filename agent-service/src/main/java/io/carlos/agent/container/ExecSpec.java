package io.carlos.agent.container;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command whose output is wanted as a whole.
 *
 * @param uid unsigned; empty: the place's default user
 * @param workingDirectory absolute; empty: the root directory
 * @param environment added to what the place gives every command
 * @param stdin all of the command's input; not copied
 * @param timeout after which it is killed; empty: never
 */
public record ExecSpec(
        List<String> command,
        Optional<Integer> uid,
        Optional<String> workingDirectory,
        Map<String, String> environment,
        byte[] stdin,
        Optional<Duration> timeout) {
    public ExecSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    public static ExecSpec of(String... command) {
        return new ExecSpec(
                List.of(command), Optional.empty(), Optional.empty(), Map.of(), new byte[0], Optional.empty());
    }

    public ExecSpec withUid(int other) {
        return new ExecSpec(command, Optional.of(other), workingDirectory, environment, stdin, timeout);
    }

    public ExecSpec withWorkingDirectory(String other) {
        return new ExecSpec(command, uid, Optional.of(other), environment, stdin, timeout);
    }

    public ExecSpec withEnvironment(Map<String, String> other) {
        return new ExecSpec(command, uid, workingDirectory, other, stdin, timeout);
    }

    public ExecSpec withStdin(byte[] other) {
        return new ExecSpec(command, uid, workingDirectory, environment, other, timeout);
    }

    public ExecSpec withTimeout(Duration other) {
        return new ExecSpec(command, uid, workingDirectory, environment, stdin, Optional.of(other));
    }
}
