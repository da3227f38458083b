package io.carlos.model.linux.process;

import io.carlos.model.linux.Printable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One process to start.
 *
 * @param program the file to execute, looked up nowhere; a relative one is relative to {@code workingDirectory}
 * @param argv the arguments, the program's own name first
 * @param environment all of it: nothing is inherited
 */
public record SpawnRequest(String program, List<String> argv, Map<String, String> environment, Path workingDirectory) {
    /** @throws IllegalArgumentException when the kernel could not pass one of the texts on as it is */
    public SpawnRequest {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("argv is empty; it starts with the program's name");
        }
        Libc.requireNoNul("the program's path", program);
        for (int i = 0; i < argv.size(); i++) {
            Libc.requireNoNul("argument " + i, argv.get(i));
        }
        environment.forEach(SpawnRequest::requireVariable);
    }

    private static void requireVariable(String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw new IllegalArgumentException("the environment variable name \"" + Printable.of(name)
                    + "\" is empty or has a '='; give it another name");
        }
        Libc.requireNoNul("an environment variable's name", name);
        Libc.requireNoNul("the environment variable " + name, value);
    }
}
