package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.DirectoryEntry;
import io.carlos.guest.namespace.calls.Syscalls;
import java.util.Arrays;

/** This process is alone in its namespace, as process 1 or as the child of a process 1 of the same program. */
final class ProcessNamespaceCheck implements ProbeCheck {
    private static final int MAX_PATH_BYTES = 4096;

    private final Syscalls calls;

    ProcessNamespaceCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "pid1";
    }

    @Override
    public Finding check() {
        int self = calls.processId();
        boolean below = calls.parentId() == 1 && isSameProgram();
        if (self != 1 && !below) {
            return Finding.fail("the own process id is " + self + ", expected 1");
        }
        boolean sawItself = false;
        for (DirectoryEntry entry : DirectoryEntry.list(calls, "/proc")) {
            String name = entry.name();
            sawItself |= name.equals(Integer.toString(self));
            boolean own = name.equals(Integer.toString(self)) || name.equals("1");
            if (name.charAt(0) >= '0' && name.charAt(0) <= '9' && !own) {
                return Finding.fail("/proc shows the process " + name);
            }
        }
        return sawItself
                ? Finding.ok("the own process id is " + self + ", and no other process is in sight")
                : Finding.fail("/proc does not show this process either, so it proves nothing");
    }

    private boolean isSameProgram() {
        byte[] first = new byte[MAX_PATH_BYTES];
        byte[] own = new byte[MAX_PATH_BYTES];
        return calls.readLink("/proc/1/exe", first) > 0
                && calls.readLink("/proc/self/exe", own) > 0
                && Arrays.equals(first, own);
    }
}
