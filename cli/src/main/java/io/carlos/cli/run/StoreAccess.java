package io.carlos.cli.run;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.shell.UserDirectories;
import io.carlos.store.directory.DirectoryObjectStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Which store a command means: {@code --store}, else {@code CARLOS_STORE}, else one in the user's state directory. */
final class StoreAccess {
    static final String VARIABLE = "CARLOS_STORE";

    private final Map<String, String> environment;

    StoreAccess(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Opens the store, and makes it when there is none. */
    OpenStore openOrCreate(Optional<Path> option) {
        Path root = root(option);
        return new OpenStore(root, DirectoryObjectStore.open(root));
    }

    /** Opens a store that is there. */
    OpenStore openExisting(Optional<Path> option) {
        Path root = root(option);
        if (!Files.isDirectory(root)) {
            throw new CliException(
                    CliExit.UNAVAILABLE,
                    "there is no store at " + root + ": name another with --store, or start an agent with"
                            + " carlos local up --store " + root);
        }
        return new OpenStore(root, DirectoryObjectStore.open(root));
    }

    private Path root(Optional<Path> option) {
        return option.or(() -> Optional.ofNullable(environment.get(VARIABLE))
                        .filter(value -> !value.isEmpty())
                        .map(Path::of))
                .or(() -> new UserDirectories(environment).state().map(state -> state.resolve("store")))
                .orElseThrow(
                        () -> CliException.usage("this user has no home to keep a store in: name one with --store"))
                .toAbsolutePath()
                .normalize();
    }
}
