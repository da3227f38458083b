package io.carlos.agent.launch.container;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.launch.OutputSink;
import io.carlos.model.runs.OutputChannel;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the output of one command to its sink, each stream on a thread of its own. No more is read of a stream while
 * the sink holds what was read of it, so that the command waits.
 */
final class ContainerOutput {
    private static final Logger log = LoggerFactory.getLogger(ContainerOutput.class);

    private static final int LARGEST_PIECE = 64 * 1024;

    private final String subject;
    private final OutputSink sink;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> notes = new TreeSet<>();
    private int running;
    private int inSink;
    private boolean refused;

    ContainerOutput(String subject, OutputSink sink) {
        this.subject = subject;
        this.sink = sink;
    }

    /** @param onRefused called when the sink takes nothing more */
    void carry(OutputChannel channel, InputStream stream, Runnable onRefused) {
        update(() -> running++);
        Thread.ofVirtual().name(subject + "-" + channel).start(() -> {
            try (stream) {
                byte[] buffer = new byte[LARGEST_PIECE];
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    handOver(channel, buffer, count);
                }
            } catch (InterruptedException e) {
                log.info("launch: {}: the sink takes nothing more of {}", subject, channel);
                update(() -> refused = true);
                onRefused.run();
            } catch (CommandException e) {
                log.warn("launch: {}: {} broke off: {}", subject, channel, e.getMessage());
                note("what it printed last may be lost");
            } catch (IOException | RuntimeException e) {
                log.error("launch: {}: bytes are lost: {} cannot be carried on", subject, channel, e);
                note("the end of " + channel + " is lost by a failure of the agent");
            } finally {
                update(() -> running--);
            }
        });
    }

    private void handOver(OutputChannel channel, byte[] buffer, int count) throws InterruptedException {
        update(() -> inSink++);
        try {
            sink.write(channel, buffer, 0, count);
        } finally {
            update(() -> inSink--);
        }
    }

    /**
     * Waits for the command's end, of which {@link #wake} tells.
     *
     * @param silence how long to wait; time in which the sink holds a stream does not count, because the end may be
     *     behind what waits for it
     * @return whether it has come
     */
    boolean await(Future<?> end, Duration silence) throws InterruptedException {
        long left = silence.toNanos();
        lock.lockInterruptibly();
        try {
            while (!end.isDone()) {
                if (inSink > 0) {
                    changed.await();
                } else if (left > 0) {
                    left = changed.awaitNanos(left);
                } else {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Has the sink hold up nothing for the command's sake: its time is over. */
    void hurry() {
        sink.hurry();
    }

    /** Has {@link #await} look again. */
    void wake() {
        update(() -> {});
    }

    /** Waits until all streams are at their end and all they brought is taken over, for as long as it takes. */
    void awaitEnd() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (running > 0) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What the end should say of the output; final when that has ended. Nothing when nobody wanted it any more. */
    Set<String> notes() {
        lock.lock();
        try {
            return refused ? Set.of() : Set.copyOf(notes);
        } finally {
            lock.unlock();
        }
    }

    private void note(String text) {
        update(() -> notes.add(text));
    }

    private void update(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
