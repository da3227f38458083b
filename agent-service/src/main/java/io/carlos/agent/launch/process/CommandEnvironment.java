package io.carlos.agent.launch.process;

import io.carlos.agent.launch.LaunchRequest;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The environment of a command. It is made of three layers, of which a later one wins:
 *
 * <ol>
 *   <li>of the agent's own environment only {@code PATH}, {@code HOME}, {@code USER}, {@code LOGNAME}, {@code SHELL},
 *       {@code LANG}, {@code LC_*}, {@code TZ} and {@code TMPDIR}: the agent's may hold secrets, such as the store's keys;
 *   <li>the instance's environment;
 *   <li>{@code CARLOS_RUN_DIR}, {@code CARLOS_DATA_DIR} (both absolute), {@code CARLOS_HOST} and {@code CARLOS_RUN_ID}.
 * </ol>
 */
final class CommandEnvironment {
    /** Names the run's directory, and marks every process of the run that does not clear its environment. */
    static final String RUN_DIRECTORY = "CARLOS_RUN_DIR";

    private static final Set<String> INHERITED =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR");
    private static final String INHERITED_PREFIX = "LC_";

    private CommandEnvironment() {}

    static Map<String, String> of(LaunchRequest request, Map<String, String> agent) {
        Map<String, String> environment = new HashMap<>();
        agent.forEach((name, value) -> {
            if (INHERITED.contains(name) || name.startsWith(INHERITED_PREFIX)) {
                environment.put(name, value);
            }
        });
        environment.putAll(request.environment());
        environment.put(RUN_DIRECTORY, absolute(request.runDirectory()));
        environment.put("CARLOS_DATA_DIR", absolute(request.dataDirectory()));
        environment.put("CARLOS_HOST", request.host().toString());
        environment.put("CARLOS_RUN_ID", request.id().value());
        return environment;
    }

    /** The text of a directory in the environment: processes left by an earlier agent are found by comparing it. */
    static String absolute(Path directory) {
        return directory.toAbsolutePath().normalize().toString();
    }
}
