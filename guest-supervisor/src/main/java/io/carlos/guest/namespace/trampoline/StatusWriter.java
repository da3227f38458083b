package io.carlos.guest.namespace.trampoline;

import io.carlos.guest.namespace.calls.Files;
import io.carlos.model.files.StatusFile;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.text.CString;
import java.time.Instant;
import java.util.function.LongSupplier;

/** Keeps the status file of one start of one unit. */
final class StatusWriter {
    private final Files files;
    private final LongSupplier clock;
    private final int directory;
    private final Role role;
    private final InvocationId invocation;

    /**
     * @param clock milliseconds since 1970
     * @param directory the instance's run directory
     */
    StatusWriter(Files files, LongSupplier clock, int directory, Role role, InvocationId invocation) {
        this.files = files;
        this.clock = clock;
        this.directory = directory;
        this.role = role;
        this.invocation = invocation;
    }

    void write(Cause cause, int status) {
        StatusFile file = new StatusFile(invocation, cause, status, Instant.ofEpochMilli(clock.getAsLong()));
        files.replace(directory, StatusFile.fileName(role, invocation), CString.bytes(file.toJson() + "\n"));
    }
}
