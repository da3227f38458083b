package io.carlos.guest.namespace.calls;

import io.carlos.model.names.InstanceId;

/**
 * Where an instance's directories are, as texts: the program in the namespace has no file system classes of the JDK.
 *
 * @param data the data root, {@code /data}
 * @param run the run root, {@code /run/carlos}
 * @param live where root puts the links to the hosts' current binaries, {@code /opt/carlos/live}
 * @param configuration what no tenant may see, {@code /etc/carlos}
 */
public record BoxDirectories(String data, String run, String live, String configuration) {
    /** The environment variable that names another data root. */
    static final String DATA_VARIABLE = "CARLOS_DATA_DIR";

    /** The environment variable under which a box in one directory names that directory. */
    static final String ROOT_VARIABLE = "CARLOS_ROOT";

    /** @throws IllegalArgumentException when a path is not absolute or not clean */
    public BoxDirectories {
        checkClean(data);
        checkClean(run);
        checkClean(live);
        checkClean(configuration);
    }

    /** The box as the environment tells, which is systemd's and never the tenant's. */
    public static BoxDirectories of(Environment environment) {
        String root = environment.get(ROOT_VARIABLE, "");
        return new BoxDirectories(
                environment.get(DATA_VARIABLE, root + "/data"),
                root + "/run/carlos",
                root + "/opt/carlos/live",
                root + "/etc/carlos");
    }

    public String instanceData(InstanceId id) {
        return data + "/instances/" + id;
    }

    public String instanceRun(InstanceId id) {
        return run + "/instances/" + id;
    }

    private static void checkClean(String path) {
        String parts = path + "/";
        if (!path.startsWith("/") || parts.contains("//") || parts.contains("/./") || parts.contains("/../")) {
            throw new IllegalArgumentException(
                    "not a directory of a box: \"" + path + "\": expected an absolute path without . and ..");
        }
    }
}
