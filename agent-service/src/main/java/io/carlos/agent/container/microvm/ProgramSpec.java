package io.carlos.agent.container.microvm;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A program of this machine that a session needs.
 *
 * @param name what messages call it
 * @param argv its file, by an absolute path, and its arguments
 * @param listensOn the socket by which it is known to be ready; empty: it is ready when it runs
 */
public record ProgramSpec(String name, List<String> argv, Optional<Path> listensOn) {
    public ProgramSpec {
        argv = List.copyOf(argv);
    }

    public static ProgramSpec listening(String name, Path socket, List<String> argv) {
        return new ProgramSpec(name, argv, Optional.of(socket));
    }
}
