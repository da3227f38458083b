package io.carlos.agent.runs;

import io.carlos.model.runs.RunResult;
import java.time.Duration;

/** Told of a worker's runs by the threads that execute them; must not wait. */
public interface RunsListener {
    RunsListener NONE = new RunsListener() {};

    /** @param waited since the run was asked for, by the clocks of whoever asked and of this box; never negative */
    default void picked(Duration waited) {}

    /** A pick was answered: the run is another's, or over. */
    default void notPicked() {}

    /** The result is durable and the record says done. */
    default void finished(RunResult result) {}
}
