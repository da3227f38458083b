package io.carlos.agent;

import io.carlos.model.time.Scheduler;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent cannot live without. When it fails, for lack of memory or by a defect, the process ends at once, as by a
 * crash: whoever keeps it running starts it again, and its boot closes out what was executing. A process that went on
 * would look alive and pick nothing.
 */
public final class VitalTask implements Runnable {
    /** The exit status of a process that ended by this: an internal error, as sysexits(3) has it. */
    public static final int EXIT_STATUS = 70;

    private static final Logger log = LoggerFactory.getLogger(VitalTask.class);

    private final String name;
    private final Body body;
    private final Consumer<Throwable> end;

    /** What is done; it ends by returning or by an interrupt. */
    @FunctionalInterface
    public interface Body {
        void run() throws InterruptedException;
    }

    VitalTask(String name, Body body, Consumer<Throwable> end) {
        this.name = name;
        this.body = body;
        this.end = end;
    }

    /** Starts one whose failure ends this process. */
    public static Scheduler.Task fork(Scheduler scheduler, String name, Body body) {
        return scheduler.fork(name, new VitalTask(name, body, VitalTask::endProcess));
    }

    @Override
    public void run() {
        try {
            body.run();
        } catch (InterruptedException e) {
            log.debug("agent: interrupted: task={}", name);
        } catch (RuntimeException | Error e) {
            end.accept(e);
        }
    }

    /** Runs no shutdown hook: in a process that has no memory left they may wait for ever. */
    private static void endProcess(Throwable failure) {
        try {
            log.error("agent: a task failed that it cannot live without; the process ends now", failure);
        } finally {
            Runtime.getRuntime().halt(EXIT_STATUS);
        }
    }
}
