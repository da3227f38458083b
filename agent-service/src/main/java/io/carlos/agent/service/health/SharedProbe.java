package io.carlos.agent.service.health;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.files.ProbeReport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The probe's report for the health checks: one question at a time, whose answer serves all who ask within a second of it. Nobody
 * waits for long, and a control service that hangs keeps one thread, however often somebody looks.
 */
public final class SharedProbe {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final ControlChannel channel;
    private final Duration limit;
    private @Nullable Question newest;

    public SharedProbe(ControlChannel channel) {
        this(channel, LIMIT);
    }

    /** @param limit how long each caller waits */
    SharedProbe(ControlChannel channel, Duration limit) {
        this.channel = channel;
        this.limit = limit;
    }

    private record Question(long askedAt, CompletableFuture<ProbeReport> answer) {
        boolean isStale(long now) {
            return answer.isDone() && now - askedAt >= FRESH.toNanos();
        }
    }

    /** @throws ControlException the control service failed, or did not answer in time */
    ProbeReport report() throws ControlException, InterruptedException {
        try {
            return answer().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new ControlException(
                    Outcome.MAY_RUN, "the control service gave no answer within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ControlException failure) {
                throw new ControlException(failure.outcome(), String.valueOf(failure.getMessage()), failure);
            }
            throw new IllegalStateException("probe: a defect", e.getCause());
        }
    }

    private synchronized CompletableFuture<ProbeReport> answer() {
        long now = System.nanoTime();
        Question question = newest;
        if (question == null || question.isStale(now)) {
            question = new Question(now, new CompletableFuture<>());
            newest = question;
            CompletableFuture<ProbeReport> answer = question.answer();
            Thread.ofVirtual().name("health probe").start(() -> ask(answer));
        }
        return question.answer();
    }

    private void ask(CompletableFuture<ProbeReport> answer) {
        try {
            answer.complete(channel.probe());
        } catch (InterruptedException | ControlException | RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}
