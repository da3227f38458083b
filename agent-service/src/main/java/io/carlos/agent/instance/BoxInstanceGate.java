package io.carlos.agent.instance;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.unit.InstanceGate;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.records.Isolation;
import java.io.IOException;
import java.util.Optional;

/**
 * Lets commands run beside the instances that this box has. An instance that should run and does not is woken by the command, which
 * does not wait for it: repairing an instance that does not start is what a command may be there for.
 */
public final class BoxInstanceGate implements InstanceGate {
    private final Instances instances;

    public BoxInstanceGate(Instances instances) {
        this.instances = instances;
    }

    @Override
    public Admission admit(Host host, Command command) throws InterruptedException {
        Optional<InstanceRow> row = instances.row(host);
        if (row.isEmpty()) {
            return refused(LaunchOutcome.Reason.CLAIM, "this box does not have " + host);
        }
        if (row.get().isolation() != Isolation.UNIT) {
            return refused(
                    LaunchOutcome.Reason.FLAT,
                    host + " has the isolation " + row.get().isolation() + ", and no units on this box");
        }
        CommandHolds commands = instances.lane(host).turn().commands();
        Optional<Hold> hold = commands.hold(command);
        if (hold.isEmpty()) {
            return new Stopped(commands.reason());
        }
        try {
            Admission admission = admit(row.get(), hold.get());
            if (!(admission instanceof Ready)) {
                hold.get().release();
            }
            return admission;
        } catch (InterruptedException | RuntimeException e) {
            hold.get().release();
            throw e;
        }
    }

    private Admission admit(InstanceRow row, Hold hold) throws InterruptedException {
        Units units = instances.units();
        try {
            units.directories().make(row.id());
            MemoryTier memory = MemoryTier.of(Long.toString(row.memoryMax()));
            units.requireReady();
            instances.wake(row.host());
            return new Ready(memory, row.env(), hold);
        } catch (IOException | InvalidNameException e) {
            return refused(LaunchOutcome.Reason.FLAT, row.host() + " has no place on this box: " + e.getMessage());
        } catch (StartFailedException e) {
            return refused(LaunchOutcome.Reason.WAKE, String.valueOf(e.getMessage()));
        }
    }

    private static Refused refused(LaunchOutcome.Reason reason, String detail) {
        return new Refused(reason, detail);
    }
}
