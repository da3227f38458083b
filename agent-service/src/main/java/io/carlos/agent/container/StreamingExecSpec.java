package io.carlos.agent.container;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command whose streams are attached.
 *
 * @param uid unsigned; empty: the place's default user
 * @param workingDirectory absolute; empty: the root directory
 * @param environment added to what the place gives every command
 */
public record StreamingExecSpec(
        List<String> command,
        Optional<Integer> uid,
        Optional<String> workingDirectory,
        Map<String, String> environment) {
    public StreamingExecSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    public static StreamingExecSpec of(String... command) {
        return new StreamingExecSpec(List.of(command), Optional.empty(), Optional.empty(), Map.of());
    }
}
