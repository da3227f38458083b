package io.carlos.guest.rpc;

import com.google.protobuf.ByteString;
import io.carlos.guest.exec.ExecOutput;
import io.carlos.guest.exec.Execution;
import io.carlos.guest.exec.Executions;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.linux.process.ChildEnd;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of Exec. */
final class UnaryExec {
    /** Of each stream, in bytes. */
    static final int OUTPUT_LIMIT = 8 * 1024 * 1024;

    private static final int STATUS_OF_SIGNALS = 128;

    private static final Logger log = LoggerFactory.getLogger(UnaryExec.class);

    private final ExecRequest request;
    private final ServerCallStreamObserver<ExecResponse> response;
    private final CompletableFuture<Void> giveUp = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> inputLoss = new AtomicReference<>();
    private final AtomicBoolean timedOut = new AtomicBoolean();
    private final CompletableFuture<Void> sent = new CompletableFuture<>();
    private final CappedBuffer stdout;
    private final CappedBuffer stderr;

    UnaryExec(ExecRequest request, ServerCallStreamObserver<ExecResponse> response, OutputBudget budget) {
        this.request = request;
        this.response = response;
        this.stdout = new CappedBuffer(OUTPUT_LIMIT, budget, () -> giveUp.complete(null));
        this.stderr = new CappedBuffer(OUTPUT_LIMIT, budget, () -> giveUp.complete(null));
        // During the start the handler would wait for its end; the context does not.
        Context.current().addListener(context -> giveUp.complete(null), Runnable::run);
        response.setOnCancelHandler(() -> {
            giveUp.complete(null);
            sent.complete(null);
        });
        response.setOnCloseHandler(() -> sent.complete(null));
    }

    /** Returns when the command is started; what follows happens on other threads. */
    void run(ExecGate gate, Executions executions, Executor threads, ScheduledExecutorService timer) {
        // The start is a part of the time that the command has.
        Future<?> timeout = scheduleTimeout(timer);
        Execution execution;
        try {
            execution = gate.start(request, giveUp);
        } catch (StatusException e) {
            timeout.cancel(false);
            response.onError(timedOut.get() ? tookTooLong().asException() : e);
            return;
        }
        // Before anything that may fail: from here on the command is bound to the call.
        giveUp.thenRun(execution::kill);
        executions.follow(execution, new ExecOutput(stdout, stderr));
        execution.finished().whenComplete((end, failure) -> timeout.cancel(false));
        execution.finished().whenComplete((end, failure) -> LastWord.say(response, () -> answer(end, failure)));
        // Until then the output is collected, or waits to be sent.
        CompletableFuture.allOf(execution.finished().exceptionally(failure -> null), sent)
                .thenRun(() -> {
                    stdout.release();
                    stderr.release();
                });
        feed(execution, threads);
    }

    private Future<?> scheduleTimeout(ScheduledExecutorService timer) {
        return request.getTimeoutSeconds() == 0
                ? CompletableFuture.completedFuture(null)
                : timer.schedule(this::timeOut, Integer.toUnsignedLong(request.getTimeoutSeconds()), TimeUnit.SECONDS);
    }

    private void timeOut() {
        timedOut.set(true);
        giveUp.complete(null);
    }

    /** Output is collected meanwhile: a command that copies its input would wait for that. */
    private void feed(Execution execution, Executor threads) {
        ByteString body = request.getStdin();
        if (body.isEmpty()) {
            execution.stdin().close();
            return;
        }
        try {
            threads.execute(() -> write(execution, body));
        } catch (RuntimeException | Error e) {
            loseInput(execution, e);
        }
    }

    private void write(Execution execution, ByteString body) {
        try {
            execution.stdin().write(body.toByteArray());
        } catch (IOException | RuntimeException | Error e) {
            loseInput(execution, e);
        } finally {
            execution.stdin().close();
        }
    }

    /** A command that took the half of its input for all of it would do the wrong thing. */
    private void loseInput(Execution execution, Throwable cause) {
        inputLoss.compareAndSet(null, cause);
        log.error("exec: {}: its input is lost", execution.id(), cause);
        execution.kill();
    }

    private void answer(ChildEnd end, Throwable failure) {
        if (response.isCancelled()) {
            return;
        }
        if (failure != null) {
            response.onError(Statuses.internal("the command could not be followed to its end", failure)
                    .asException());
        } else if (inputLoss.get() != null) {
            response.onError(Statuses.internal("the command's input was lost; it was killed", inputLoss.get())
                    .asException());
        } else if (timedOut.get()) {
            response.onError(tookTooLong().asException());
        } else if (stdout.overflow().isPresent()) {
            response.onError(tooMuch("stdout", stdout.overflow().get()).asException());
        } else if (stderr.overflow().isPresent()) {
            response.onError(tooMuch("stderr", stderr.overflow().get()).asException());
        } else {
            response.onNext(ExecResponse.newBuilder()
                    .setStdout(stdout.content())
                    .setStderr(stderr.content())
                    .setExitCode(exitCode(end))
                    .build());
            response.onCompleted();
        }
    }

    private Status tookTooLong() {
        return Status.DEADLINE_EXCEEDED.withDescription("the command took longer than "
                + Integer.toUnsignedString(request.getTimeoutSeconds()) + " s; it was killed");
    }

    private static Status tooMuch(String stream, CappedBuffer.Overflow overflow) {
        return Status.RESOURCE_EXHAUSTED.withDescription(
                switch (overflow) {
                    case STREAM ->
                        stream + " is over " + OUTPUT_LIMIT
                                + " bytes; the command was killed. Stream it, or have it write to a file";
                    case ALL_CALLS ->
                        stream + " found no room beside the output of other commands; the command was killed."
                                + " Stream it, or run fewer at once";
                });
    }

    private static int exitCode(ChildEnd end) {
        return switch (end) {
            case ChildEnd.Exited(int status) -> status;
            case ChildEnd.Killed(int signal) -> STATUS_OF_SIGNALS + signal;
        };
    }
}
