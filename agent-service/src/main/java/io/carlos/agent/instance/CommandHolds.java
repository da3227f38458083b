package io.carlos.agent.instance;

import io.carlos.agent.launch.unit.InstanceGate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The commands that run beside one instance. While the instance is being stopped it takes no further one, and each that is there is
 * told so once: there is no moment between the two at which one could slip in untold.
 */
final class CommandHolds {
    private final List<Hold> holds = new ArrayList<>();
    private int stops;
    private String reason = "";

    /** One command's hold on its instance. */
    final class Hold implements InstanceGate.Hold {
        private final InstanceGate.Command command;

        private Hold(InstanceGate.Command command) {
            this.command = command;
        }

        @Override
        public void release() {
            synchronized (CommandHolds.this) {
                holds.remove(this);
            }
        }
    }

    /** @return empty while the instance is being stopped */
    synchronized Optional<InstanceGate.Hold> hold(InstanceGate.Command command) {
        if (stops > 0) {
            return Optional.empty();
        }
        Hold hold = new Hold(command);
        holds.add(hold);
        return Optional.of(hold);
    }

    /** A stop begins; {@link #stopped} must follow. Several may be under way. */
    void stopping(String why) {
        List<Hold> told;
        synchronized (this) {
            stops++;
            reason = why;
            told = List.copyOf(holds);
        }
        told.forEach(hold -> hold.command.interrupt(why));
    }

    synchronized void stopped() {
        stops--;
    }

    /** Whether a stop has begun and not ended. */
    synchronized boolean isStopping() {
        return stops > 0;
    }

    /** Why the instance was stopped last. */
    synchronized String reason() {
        return reason;
    }

    /** Does the task if no command runs, and lets none begin meanwhile. */
    synchronized boolean ifEmpty(IoTask task) throws IOException {
        if (!holds.isEmpty()) {
            return false;
        }
        task.run();
        return true;
    }

    synchronized boolean isEmpty() {
        return holds.isEmpty();
    }
}
