package io.carlos.agent.launch;

import java.time.Duration;
import java.util.Optional;

/** A started command. */
public interface LaunchedRun {
    /**
     * Waits for the command's own end; its descendants may live on, and its output may still be on its way. A backend
     * that hears of the end only behind the output does not know it while the sink holds that.
     *
     * @return the end, or empty when it had not come within {@code wait}
     */
    Optional<CommandEnd> awaitEnd(Duration wait) throws InterruptedException;

    /**
     * Ends whatever is left and returns when nothing of the command runs any more and both streams were read to their
     * end. A command that still runs is asked with SIGTERM first and killed after the backend's grace. A command that
     * ended by itself keeps its own end, and its descendants get the backend's bound to finish their output. Calling it
     * again gives the same answer; after an exception it may be called again.
     *
     * @param grace how long a running command has between SIGTERM and SIGKILL
     */
    CommandEnd stop(Duration grace) throws InterruptedException;
}
