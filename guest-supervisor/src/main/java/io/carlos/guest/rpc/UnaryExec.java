package io.carlos.guest.rpc;

import com.google.protobuf.ByteString;
import io.carlos.guest.exec.ExecOutput;
import io.carlos.guest.exec.Execution;
import io.carlos.guest.exec.Executions;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.linux.process.ChildEnd;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final AtomicBoolean timedOut = new AtomicBoolean();
    private final CappedBuffer stdout = new CappedBuffer(OUTPUT_LIMIT, () -> giveUp.complete(null));
    private final CappedBuffer stderr = new CappedBuffer(OUTPUT_LIMIT, () -> giveUp.complete(null));

    UnaryExec(ExecRequest request, ServerCallStreamObserver<ExecResponse> response) {
        this.request = request;
        this.response = response;
        // Before the start: a call that is cancelled during it must not be missed.
        response.setOnCancelHandler(() -> giveUp.complete(null));
    }

    /** Returns when the command is started; what follows happens on other threads. */
    void run(ExecGate gate, Executions executions, Executor threads, ScheduledExecutorService timer) {
        Execution execution;
        try {
            execution = gate.start(request);
        } catch (StatusException e) {
            response.onError(e);
            return;
        }
        executions.follow(execution, new ExecOutput(stdout, stderr));
        giveUp.thenRun(execution::kill);
        feed(execution, threads);
        if (request.getTimeoutSeconds() != 0) {
            ScheduledFuture<?> timeout = timer.schedule(
                    this::timeOut, Integer.toUnsignedLong(request.getTimeoutSeconds()), TimeUnit.SECONDS);
            execution.finished().whenComplete((end, failure) -> timeout.cancel(false));
        }
        execution.finished().whenComplete(this::answer);
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
        threads.execute(() -> {
            try {
                execution.stdin().write(body.toByteArray());
            } catch (IOException e) {
                log.error("exec: {}: its input is lost", execution.id(), e);
                execution.kill();
            } finally {
                execution.stdin().close();
            }
        });
    }

    private void answer(ChildEnd end, Throwable failure) {
        if (response.isCancelled()) {
            return;
        }
        if (failure != null) {
            response.onError(Statuses.internal("the command could not be followed to its end", failure)
                    .asException());
        } else if (timedOut.get()) {
            response.onError(Status.DEADLINE_EXCEEDED
                    .withDescription("the command took longer than "
                            + Integer.toUnsignedString(request.getTimeoutSeconds()) + " s; it was killed")
                    .asException());
        } else if (stdout.hasOverflown() || stderr.hasOverflown()) {
            response.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription((stdout.hasOverflown() ? "stdout" : "stderr") + " is over " + OUTPUT_LIMIT
                            + " bytes; the command was killed. Stream it, or have it write to a file")
                    .asException());
        } else {
            response.onNext(ExecResponse.newBuilder()
                    .setStdout(stdout.content())
                    .setStderr(stderr.content())
                    .setExitCode(exitCode(end))
                    .build());
            response.onCompleted();
        }
    }

    private static int exitCode(ChildEnd end) {
        return switch (end) {
            case ChildEnd.Exited(int status) -> status;
            case ChildEnd.Killed(int signal) -> STATUS_OF_SIGNALS + signal;
        };
    }
}
