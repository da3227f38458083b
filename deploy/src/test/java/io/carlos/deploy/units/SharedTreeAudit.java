package io.carlos.deploy.units;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What units of the tenants' user keep, and whether the namespace of a tenant hides it. Modes hide nothing: the user is the
 * same.
 */
final class SharedTreeAudit {
    private static final String USER = "carlos";

    /** The directories that systemd makes for a service, and below what. */
    private static final Map<String, String> MADE_BELOW = Map.of(
            "StateDirectory", "/var/lib",
            "CacheDirectory", "/var/cache",
            "RuntimeDirectory", "/run",
            "LogsDirectory", "/var/log",
            "ConfigurationDirectory", "/etc");

    private static final List<String> CREDENTIALS = List.of(
            "LoadCredential", "LoadCredentialEncrypted", "SetCredential", "SetCredentialEncrypted", "ImportCredential");

    private SharedTreeAudit() {}

    /** One sentence for everything that a tenant could reach. */
    static List<String> violations(List<UnitFile> units, UnitFile namespace) {
        List<String> violations = new ArrayList<>();
        for (UnitFile unit : units) {
            if (unit.values("User").contains(USER) && !NamespaceBlock.UNITS.contains(unit.name())) {
                for (String path : kept(unit)) {
                    if (!isHidden(path, namespace)) {
                        violations.add(unit + ": " + path + " is in a tenant's sight");
                    }
                }
                if (isDelegated(unit) && !namespace.hasLine("ProtectControlGroups=yes")) {
                    violations.add(unit + ": its control groups are in a tenant's reach");
                }
            }
        }
        return violations;
    }

    private static List<String> kept(UnitFile unit) {
        List<String> paths = new ArrayList<>();
        for (String path : unit.words("ReadWritePaths")) {
            paths.add(withoutPrefix(path));
        }
        for (String file : unit.words("EnvironmentFile")) {
            paths.add(withoutPrefix(file));
        }
        MADE_BELOW.forEach((key, root) -> {
            for (String directory : unit.words(key)) {
                paths.add(root + "/" + directory);
            }
        });
        for (String key : CREDENTIALS) {
            for (String value : unit.values(key)) {
                String[] idAndSource = value.split(":", 2);
                paths.add("/run/credentials/" + unit.name() + "/" + idAndSource[0]);
                if (key.startsWith("Load") && idAndSource.length > 1) {
                    paths.add(idAndSource[1]);
                }
            }
        }
        return paths;
    }

    private static boolean isDelegated(UnitFile unit) {
        return unit.has("Delegate") && !unit.hasLine("Delegate=no");
    }

    private static boolean isHidden(String path, UnitFile namespace) {
        List<String> hidden = new ArrayList<>();
        for (String value : namespace.words("TemporaryFileSystem")) {
            hidden.add(value.split(":", 2)[0]);
        }
        for (String value : namespace.words("InaccessiblePaths")) {
            hidden.add(withoutPrefix(value));
        }
        return hidden.stream().anyMatch(root -> Path.of(path).normalize().startsWith(root));
    }

    private static String withoutPrefix(String path) {
        return path.replaceFirst("^[-+]+", "");
    }
}
