package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import java.util.List;

/**
 * The kernel limits the memory of the slice that this unit is in, which is where a tenant's limit is. A limit of the probe's
 * own unit proves only that limits are in force. What systemd shows can be a limit that is not.
 */
final class MemoryLimitCheck implements ProbeCheck {
    private static final String ROOT = "/sys/fs/cgroup";
    private static final List<String> UNLIMITED = List.of("max");

    private final Syscalls calls;

    MemoryLimitCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "memory-limit";
    }

    @Override
    public Finding check() {
        String group = Lines.find(Lines.of(calls, "/proc/self/cgroup"), "0::");
        if (group == null || !group.startsWith("/") || group.contains("/..")) {
            return Finding.unverified("this process is in no control group below " + ROOT);
        }
        if (new Files(calls).tryOpen(ROOT + group + "/cgroup.procs", OpenMode.READ) == -Errno.ENOENT) {
            return Finding.unverified("there is no control group " + ROOT + group);
        }
        int file = new Files(calls).tryOpen(ROOT + group + "/memory.max", OpenMode.READ);
        if (file == -Errno.ENOENT) {
            return Finding.unverified("there is no memory controller for " + group);
        }
        // A limit on any group above the slice holds as well.
        for (String at = parent(group); at.length() > 1; at = parent(at)) {
            List<String> limit = limit(at);
            if (!limit.equals(UNLIMITED)) {
                return Finding.ok("memory.max of " + at + " is " + limit);
            }
        }
        return limit(group).equals(UNLIMITED)
                ? Finding.fail("memory.max of " + group + " and of all groups above is max")
                : Finding.unverified("memory.max of " + parent(group) + " is max; that of this unit is in force");
    }

    private List<String> limit(String group) {
        return Lines.of(calls, ROOT + group + "/memory.max");
    }

    private static String parent(String group) {
        return group.substring(0, Math.max(group.lastIndexOf('/'), 1));
    }
}
