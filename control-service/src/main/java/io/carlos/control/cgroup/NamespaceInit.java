package io.carlos.control.cgroup;

import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.PidFd;
import io.carlos.model.names.UnitName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The process that is number 1 in the pid namespace of a unit, found without systemd, which may not know it for the
 * unit's main process. It is the program that forwards signals to the tenant's command.
 */
public final class NamespaceInit {
    private static final int SIGTERM = 15;
    private static final String PROCESSES = "cgroup.procs";
    private static final String NUMBERS = "NSpid:";

    private final Cgroups cgroups;

    /** @param root where the cgroup2 file system is mounted */
    public NamespaceInit(Path root) {
        cgroups = new Cgroups(root);
    }

    /** Sends it SIGTERM; false when the unit has no such process. */
    public boolean terminate(UnitName unit) throws IOException {
        for (int pid : processes(unit)) {
            if (terminate(unit, pid)) {
                return true;
            }
        }
        return false;
    }

    private boolean terminate(UnitName unit, int pid) throws IOException {
        try (PidFd held = PidFd.open(pid)) {
            // Looked at while it is held, so that the number is not another process's by now.
            if (!isInit(pid) || !processes(unit).contains(pid)) {
                return false;
            }
            held.signal(SIGTERM);
            return true;
        } catch (LinuxException e) {
            if (e.is(Errno.ESRCH)) {
                return false;
            }
            throw e;
        }
    }

    /** As pid_namespaces(7) numbers it: in the namespace that it was born in, and in those around it. */
    private static boolean isInit(int pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/status");
        try {
            return Files.readAllLines(status, StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(NUMBERS))
                    .map(line -> line.substring(NUMBERS.length()).strip().split("\\s+"))
                    .anyMatch(numbers -> numbers.length > 1 && numbers[numbers.length - 1].equals("1"));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private List<Integer> processes(UnitName unit) throws IOException {
        try {
            return Files.readAllLines(cgroups.directory(unit).resolve(PROCESSES), StandardCharsets.US_ASCII).stream()
                    .map(Integer::valueOf)
                    .toList();
        } catch (NoSuchFileException | FileNotFoundException e) {
            return List.of();
        }
    }
}
