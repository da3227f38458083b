package io.carlos.agent.instance;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.names.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is run for an instance: the program behind the host's link in the live directory, for a role other than the instance's own
 * with the role's name as its argument. Its environment is made of three layers, of which a later one wins:
 *
 * <ol>
 *   <li>{@code PATH}, and {@code HOME} as the data directory;
 *   <li>the record's;
 *   <li>{@code CARLOS_HOST}, {@code CARLOS_ROLE}, {@code CARLOS_DATA_DIR}, {@code CARLOS_RUN_DIR} (both the instance's own) and
 *       {@code CARLOS_SOCKET}, where the program is to serve.
 * </ol>
 */
final class InstanceLaunch {
    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private InstanceLaunch() {}

    /** @throws io.carlos.model.json.InvalidDocumentException when the record's environment breaks a rule of launch files */
    static LaunchFile of(InstanceRow row, Role role, BoxPaths paths) {
        LaunchFile launch = new LaunchFile(row.host(), argv(row, role, paths), environment(row, role, paths));
        launch.checkProgram(paths.live().toString(), row.id());
        return launch;
    }

    private static List<String> argv(InstanceRow row, Role role, BoxPaths paths) {
        String program = paths.liveBinary(row.host()).toString();
        return switch (role) {
            case RUN -> List.of(program);
            case SEED, SIDECAR -> List.of(program, role.wireName());
            case CMD -> throw new IllegalArgumentException("launch: " + row.host() + ": a command's is its run's");
        };
    }

    private static List<String> environment(InstanceRow row, Role role, BoxPaths paths) {
        String data = paths.instanceData(row.id()).toString();
        Map<String, String> all = new TreeMap<>();
        all.put("PATH", DEFAULT_PATH);
        all.put("HOME", data);
        all.putAll(row.env());
        all.put("CARLOS_HOST", row.host().value());
        all.put("CARLOS_ROLE", role.wireName());
        all.put("CARLOS_DATA_DIR", data);
        all.put("CARLOS_RUN_DIR", paths.instanceRun(row.id()).toString());
        all.put(
                "CARLOS_SOCKET",
                paths.instanceRun(row.id())
                        .resolve(InstanceDirectories.APP_SOCKET)
                        .toString());
        List<String> entries = new ArrayList<>();
        all.forEach((key, value) -> entries.add(key + "=" + value));
        return entries;
    }
}
