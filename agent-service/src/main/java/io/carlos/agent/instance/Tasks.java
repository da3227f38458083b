package io.carlos.agent.instance;

import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tasks of which none is left once they are closed. */
final class Tasks {
    private static final Logger log = LoggerFactory.getLogger(Tasks.class);

    private final Scheduler scheduler;
    private final Map<Object, Running> running = new HashMap<>();
    private boolean closed;

    /** Ends early when it is interrupted; what it throws is logged. */
    @FunctionalInterface
    interface Body {
        void run() throws IOException, InterruptedException;
    }

    Tasks(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** @return false once they are closed; then the body is not run */
    boolean fork(String name, Body body) {
        Object key = new Object();
        synchronized (running) {
            if (closed) {
                return false;
            }
            // Entered before the body can remove it: that needs the same lock.
            running.put(key, new Running(name, scheduler.fork(name, () -> run(name, body, key))));
            return true;
        }
    }

    private void run(String name, Body body, Object key) {
        try {
            body.run();
        } catch (InterruptedException e) {
            log.debug("instances: {}: ended by the agent's end", name);
        } catch (IOException e) {
            log.error("instances: {}: cause={}", name, e.getMessage());
        } catch (RuntimeException e) {
            log.error("instances: {}: a defect", name, e);
        } finally {
            synchronized (running) {
                running.remove(key);
            }
        }
    }

    /** Interrupts all, and returns when they have ended. */
    public void close() throws InterruptedException {
        List<Running> left;
        synchronized (running) {
            closed = true;
            left = List.copyOf(running.values());
        }
        left.forEach(task -> task.task().interrupt());
        for (Running task : left) {
            task.task().join();
        }
    }

    /** The names of those that have not ended. */
    List<String> underWay() {
        synchronized (running) {
            return running.values().stream().map(Running::name).toList();
        }
    }

    private record Running(String name, Task task) {}
}
