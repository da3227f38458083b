package io.carlos.control.cgroup;

import io.carlos.model.names.UnitName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The control groups of tenants' units, see "cgroup.events" in the kernel's cgroup-v2 document.
 *
 * @param root where the cgroup2 file system is mounted
 */
record Cgroups(Path root) {
    private static final String EVENTS = "cgroup.events";

    /** Every group of the cgroup2 file system has it, and no directory of another one. */
    private static final String CONTROLLERS = "cgroup.controllers";

    /**
     * Below a root that is none, every unit would seem to have no process.
     *
     * @throws IOException unless the cgroup2 file system is there
     */
    void check() throws IOException {
        Path controllers = root.resolve(CONTROLLERS);
        if (Files.notExists(controllers)) {
            throw new IOException(controllers + ": expected a file of the cgroup2 file system, found none; mount it at "
                    + root + ", or set carlos.control.cgroup-root");
        }
    }

    Path directory(UnitName unit) {
        return root.resolve(unit.cgroupPath());
    }

    /**
     * Whether no process of the unit, nor of a control group below it, lives. A control group that is not there has
     * none; one whose file cannot be understood counts as populated.
     */
    boolean isEmpty(UnitName unit) throws IOException {
        try {
            String events = Files.readString(directory(unit).resolve(EVENTS), StandardCharsets.US_ASCII);
            return events.lines().anyMatch("populated 0"::equals);
        } catch (NoSuchFileException | FileNotFoundException e) {
            return true;
        } catch (IOException e) {
            // A group that is removed while its file is open gives ENODEV, for which Java has no exception of its own.
            if (Files.notExists(directory(unit))) {
                return true;
            }
            throw e;
        }
    }
}
