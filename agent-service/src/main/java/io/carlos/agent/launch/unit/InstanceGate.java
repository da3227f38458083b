package io.carlos.agent.launch.unit;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.RecordRef;
import java.util.Map;

/** Whether a command may run beside an instance of this box, and for how long. */
public interface InstanceGate {
    /**
     * Asks for the instance's directories to be there, with room for a command. The instance itself need not run. It is
     * refused unless the data is that of this very incarnation of the record.
     *
     * @param command told when the instance begins to stop while the command is admitted
     */
    Admission admit(RecordRef record, Incarnation incarnation, Command command) throws InterruptedException;

    /** A command that is to be started, or runs. */
    interface Command {
        /**
         * The instance stops, or leaves this box: the command is over, wherever it is. Returns at once. Whoever stops the
         * instance goes on to stop its command's unit, and may wait for the hold to be released.
         *
         * @param reason what the run's result says
         */
        void interrupt(String reason);
    }

    /** The answer. */
    sealed interface Admission {}

    /**
     * It may run, until the hold is released or the instance stops.
     *
     * @param environment what the instance's programs are given on this box; the run's own wins
     */
    record Ready(MemoryTier memory, Map<String, String> environment, Hold hold) implements Admission {
        public Ready {
            environment = Map.copyOf(environment);
        }
    }

    /** @param detail one sentence fit for the member who asked */
    record Refused(LaunchOutcome.Reason reason, String detail) implements Admission {}

    /** The instance is being stopped, or was while it was waited for. */
    record Stopped(String reason) implements Admission {}

    /** An admitted command's place beside its instance. */
    interface Hold {
        /** Nothing of the command is left. Releasing again changes nothing. */
        void release();
    }
}
