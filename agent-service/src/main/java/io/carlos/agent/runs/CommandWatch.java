package io.carlos.agent.runs;

import io.carlos.agent.launch.LaunchedRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.time.Scheduler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that waits for a command's own end and says so; it ends by itself once the command has. */
final class CommandWatch {
    private static final Logger log = LoggerFactory.getLogger(CommandWatch.class);
    private static final Duration LONG_POLL = Duration.ofSeconds(25);

    private final Scheduler.Task task;

    CommandWatch(Scheduler scheduler, RunId id, LaunchedRun run, StopSignal signal) {
        this.task = scheduler.fork("watch " + id, () -> {
            try {
                awaitEnd(scheduler, id, run);
                signal.commandEnded();
            } catch (InterruptedException e) {
                log.debug("run: watch ended: run={}", id);
            }
        });
    }

    private static void awaitEnd(Scheduler scheduler, RunId id, LaunchedRun run) throws InterruptedException {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                if (run.awaitEnd(LONG_POLL).isPresent()) {
                    return;
                }
                backoff = new Backoff();
            } catch (RuntimeException e) {
                log.warn("run: watch failed, trying again: run={}", id, e);
                scheduler.sleep(backoff.next());
            }
        }
    }

    /** Ends the task, when the command's end no longer matters. */
    void end() {
        task.interrupt();
    }
}
