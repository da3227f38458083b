package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.ProcessCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** No memory can be written and then executed. */
final class WritableCodeCheck implements ProbeCheck {
    private final Syscalls calls;

    WritableCodeCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "rwx-memory";
    }

    @Override
    public Finding check() {
        int ordinary = calls.tryMemory(ProcessCalls.PROTECTION_READ_WRITE);
        if (ordinary < 0) {
            return Finding.fail("ordinary memory is refused too, so it proves nothing: " + calls.describe(-ordinary));
        }
        int mapped = calls.tryMemory(ProcessCalls.PROTECTION_READ_WRITE_EXECUTE);
        if (!Refusals.isDenied(mapped)) {
            return Finding.fail("mapping memory to write and execute: " + Refusals.describe(calls, mapped));
        }
        int changed = calls.tryProtection(ProcessCalls.PROTECTION_READ_EXECUTE);
        if (!Refusals.isDenied(changed)) {
            return Finding.fail("making written memory executable: " + Refusals.describe(calls, changed));
        }
        return Finding.ok("memory cannot be written and executed");
    }
}
