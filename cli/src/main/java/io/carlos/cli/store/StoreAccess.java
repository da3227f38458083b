package io.carlos.cli.store;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.shell.UserDirectories;
import io.carlos.store.location.StoreLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Which store a command means: {@code --store}, else {@code CARLOS_STORE}, else one in the user's state directory. */
public final class StoreAccess {
    public static final String VARIABLE = "CARLOS_STORE";
    public static final String STORE = "The store: a directory, or s3://BUCKET?region=REGION";

    private final Map<String, String> environment;

    public StoreAccess(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Opens the directory of a store, and makes it when there is none. */
    public OpenStore openOrCreateDirectory(Optional<Path> option) {
        StoreLocation location = location(option.map(StoreLocation.InDirectory::new));
        if (!(location instanceof StoreLocation.InDirectory)) {
            throw CliException.usage("carlos local keeps its store in a directory, and " + VARIABLE + " is " + location
                    + ": name one with --store");
        }
        return OpenStore.at(location);
    }

    /** Opens a store that is there. */
    public OpenStore openExisting(Optional<StoreLocation> option) {
        StoreLocation location = location(option);
        if (location instanceof StoreLocation.InDirectory(Path root) && !Files.isDirectory(root)) {
            throw new CliException(
                    CliExit.UNAVAILABLE,
                    "there is no store at " + root + ": name another with --store, or start an agent with"
                            + " carlos local up --store " + root);
        }
        return OpenStore.at(location);
    }

    private StoreLocation location(Optional<? extends StoreLocation> option) {
        if (option.isPresent()) {
            return option.get();
        }
        String variable = environment.getOrDefault(VARIABLE, "");
        if (!variable.isEmpty()) {
            try {
                return StoreLocation.of(variable);
            } catch (IllegalArgumentException e) {
                throw CliException.usage(VARIABLE + ": " + e.getMessage());
            }
        }
        return new UserDirectories(environment)
                .state()
                .map(state -> new StoreLocation.InDirectory(state.resolve("store")))
                .orElseThrow(
                        () -> CliException.usage("this user has no home to keep a store in: name one with --store"));
    }
}
