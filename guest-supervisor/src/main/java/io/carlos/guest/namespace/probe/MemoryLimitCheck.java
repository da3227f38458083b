package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import java.util.List;

/** The kernel limits the memory of this unit. What systemd shows can be a limit that is not in force. */
final class MemoryLimitCheck implements ProbeCheck {
    private static final String ROOT = "/sys/fs/cgroup";

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
        // A limit on any group above holds as well.
        for (String at = group; at.length() > 1; at = at.substring(0, Math.max(at.lastIndexOf('/'), 1))) {
            List<String> limit = Lines.of(calls, ROOT + at + "/memory.max");
            if (!limit.equals(List.of("max"))) {
                return Finding.ok("memory.max of " + at + " is " + limit);
            }
        }
        return Finding.fail("memory.max of " + group + " and of all groups above is max");
    }
}
