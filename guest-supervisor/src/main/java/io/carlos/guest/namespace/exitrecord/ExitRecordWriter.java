package io.carlos.guest.namespace.exitrecord;

import io.carlos.guest.namespace.calls.BoxDirectories;
import io.carlos.guest.namespace.calls.Environment;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.text.CString;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes down what systemd tells in {@code ExecStopPost=} about the end of a unit. It never fails the unit: what cannot
 * be written is a line on stderr. A record that is there already stays.
 */
public final class ExitRecordWriter {
    private final Syscalls calls;
    private final LongSupplier clock;
    private final Consumer<String> complaints;

    /**
     * @param clock milliseconds since 1970
     * @param complaints takes one line for a record that cannot be written
     */
    public ExitRecordWriter(Syscalls calls, LongSupplier clock, Consumer<String> complaints) {
        this.calls = calls;
        this.clock = clock;
        this.complaints = complaints;
    }

    /** Writes the record of the invocation in the environment; without one there is nothing to write. */
    public void write(String role, String id) {
        Environment environment = new Environment(calls.environment());
        String invocation = environment.find("INVOCATION_ID");
        if (invocation == null) {
            return;
        }
        try {
            write(environment, Role.of(role), InstanceId.of(id), InvocationId.of(invocation));
        } catch (RuntimeException e) {
            complaints.accept(String.valueOf(e.getMessage()));
        }
    }

    private void write(Environment environment, Role role, InstanceId id, InvocationId invocation) {
        ExitRecord exit = new ExitRecord(
                invocation,
                environment.get("SERVICE_RESULT", ""),
                environment.get("EXIT_CODE", ""),
                environment.get("EXIT_STATUS", ""),
                Instant.ofEpochMilli(clock.getAsLong()));
        Files files = new Files(calls);
        int directory = files.openDirectory(BoxDirectories.of(environment).instanceRun(id));
        files.create(directory, ExitRecord.fileName(role, invocation), CString.bytes(exit.toJson() + "\n"));
    }
}
