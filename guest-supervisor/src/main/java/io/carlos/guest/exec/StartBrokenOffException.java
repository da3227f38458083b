package io.carlos.guest.exec;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.ChildProcess;
import io.carlos.model.linux.process.Signal;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A child that was to become a command ended before, or let go of those who started it, without a word. */
final class StartBrokenOffException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What let go of its start is on its way out, unless it is another program than it should be. */
    private static final long BOUND_SECONDS = 5;

    private final transient ChildProcess child;

    /** @param message for when it was not killed: then its own program is to blame */
    StartBrokenOffException(ChildProcess child, String message) {
        super(message);
        this.child = child;
    }

    ChildProcess child() {
        return child;
    }

    /**
     * Waits for the child's end, which tells whose fault it was.
     *
     * @return when somebody killed it
     * @throws StartBrokenOffException this one, when nobody did
     */
    ExecRefusedException refusal(Children.Child started) throws InterruptedException {
        try {
            if (started.end().get(BOUND_SECONDS, TimeUnit.SECONDS) instanceof ChildEnd.Killed(int signal)) {
                return new ExecRefusedException(
                        Reason.KILLED, "killed by signal " + signal + " before its program was executed", this);
            }
        } catch (TimeoutException | ExecutionException e) {
            addSuppressed(e);
            kill(started);
        } finally {
            started.forget();
        }
        throw this;
    }

    private void kill(Children.Child started) {
        try {
            started.signalGroup(Signal.KILL.number());
        } catch (IOException e) {
            addSuppressed(e);
        }
    }
}
