package io.carlos.agent.launch.container;

import io.carlos.agent.launch.LaunchRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * The environment of a command, of layers of which a later one wins: {@code PATH} and {@code HOME} for want of others,
 * the instance's environment, and what names the run and its directories as they are within the container.
 */
final class ContainerEnvironment {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private ContainerEnvironment() {}

    static Map<String, String> of(LaunchRequest request, ContainerPlaces places) {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", DEFAULT_PATH);
        environment.put("HOME", places.data(request));
        environment.putAll(request.environment());
        environment.put("CARLOS_HOST", request.host().value());
        environment.put("CARLOS_RUN_ID", request.id().value());
        environment.put("CARLOS_DATA_DIR", places.data(request));
        environment.put("CARLOS_RUN_DIR", places.run(request));
        return environment;
    }
}
