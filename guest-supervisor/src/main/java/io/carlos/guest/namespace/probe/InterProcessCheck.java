package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Syscalls;
import java.nio.charset.StandardCharsets;

/** Shared memory, semaphores and message queues, of System V and POSIX alike, are not those of the box. */
final class InterProcessCheck implements ProbeCheck {
    private static final String NAMESPACE = "/proc/self/ns/ipc";
    private static final String SHARED_MEMORY = "/dev/shm";
    private static final String QUEUES = "/dev/mqueue";
    private static final int MAX_LINK_BYTES = 64;

    private final Syscalls calls;
    private final Outside outside;

    InterProcessCheck(Syscalls calls, Outside outside) {
        this.calls = calls;
        this.outside = outside;
    }

    @Override
    public String name() {
        return "ipc";
    }

    @Override
    public Finding check() {
        if (outside.ipc().isEmpty() || outside.sharedMemory().isEmpty()) {
            return Finding.fail("the unit does not tell what the box has, so nothing can be compared");
        }
        String own = namespace();
        if (own.isEmpty() || own.equals(outside.ipc())) {
            return Finding.fail("the namespace of IPC is \"" + own + "\", expected another than the box's");
        }
        Mounts mounts = Mounts.read(calls);
        String sharedMemory = mounts.device(SHARED_MEMORY);
        if (sharedMemory.isEmpty() || sharedMemory.equals(outside.sharedMemory())) {
            return Finding.fail(SHARED_MEMORY + " is the box's");
        }
        // Without a mount of their own there are no queues to be seen.
        String queues = mounts.device(QUEUES);
        if (!queues.isEmpty() && queues.equals(outside.queues())) {
            return Finding.fail(QUEUES + " is the box's");
        }
        return Finding.ok("the namespace, " + SHARED_MEMORY + " and " + QUEUES + " are not the box's");
    }

    /** Empty when it cannot be read. */
    private String namespace() {
        byte[] target = new byte[MAX_LINK_BYTES];
        int length = calls.readLink(NAMESPACE, target);
        return new String(target, 0, Math.max(length, 0), StandardCharsets.ISO_8859_1);
    }
}
