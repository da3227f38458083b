package io.carlos.agent.launch.unit;

import io.carlos.agent.launch.LaunchRequest;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The whole environment of a command, of layers of which a later one wins: {@code PATH} and {@code HOME} for want of
 * others, the instance's environment on this box, the run's, and what names the command and its directories.
 */
final class UnitEnvironment {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private UnitEnvironment() {}

    /** As a launch file has it, {@code KEY=value} each. */
    static List<String> of(LaunchRequest request, Map<String, String> instance, BoxPaths paths) {
        InstanceId id = InstanceId.of(request.host());
        String data = paths.instanceData(id).toString();
        Map<String, String> environment = new TreeMap<>();
        environment.put("PATH", DEFAULT_PATH);
        environment.put("HOME", data);
        environment.putAll(instance);
        environment.putAll(request.environment());
        environment.put("CARLOS_HOST", request.host().value());
        environment.put("CARLOS_ROLE", Role.CMD.wireName());
        environment.put("CARLOS_RUN_ID", request.id().value());
        environment.put("CARLOS_DATA_DIR", data);
        environment.put("CARLOS_RUN_DIR", paths.runDirectory(id, request.id()).toString());
        return environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }
}
