package io.carlos.cli.shell;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where this user's files are, by the XDG base directory rules. */
public final class UserDirectories {
    private final Map<String, String> environment;

    public UserDirectories(Map<String, String> environment) {
        this.environment = environment;
    }

    /** For what should outlive a restart and is not worth a backup; empty when the user has no home. The directory may not exist. */
    public Optional<Path> state() {
        // A relative path is to be ignored, says the rule.
        Optional<Path> base = variable("XDG_STATE_HOME").map(Path::of).filter(Path::isAbsolute);
        return base.or(() -> variable("HOME").map(home -> Path.of(home, ".local", "state")))
                .map(path -> path.resolve("carlos"));
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }
}
