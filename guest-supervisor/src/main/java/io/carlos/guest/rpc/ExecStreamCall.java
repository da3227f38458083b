package io.carlos.guest.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.carlos.guest.exec.ExecOutput;
import io.carlos.guest.exec.Execution;
import io.carlos.guest.exec.Executions;
import io.carlos.model.guest.v1.ExecExit;
import io.carlos.model.guest.v1.ExecStarted;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.ExecStreamResponse;
import io.carlos.model.guest.v1.StartExec;
import io.carlos.model.linux.process.ChildEnd;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of ExecStream. The frames of the request arrive one by one; the next is asked for when the command has taken
 * the last, on a thread of its own, so that a command that does not read holds up neither its output nor its end.
 */
final class ExecStreamCall implements StreamObserver<ExecStreamRequest> {
    private static final Logger log = LoggerFactory.getLogger(ExecStreamCall.class);

    /** How many bytes of output may wait to be sent: with fewer, each frame waits for the one before it. */
    private static final int SEND_AHEAD = 16 * Execution.LARGEST_PIECE;

    private final ExecGate gate;
    private final Executions executions;
    private final Executor threads;
    private final CompletableFuture<Void> givenUp = new CompletableFuture<>();

    /** Frames of the response come from several threads; none may come after the last. */
    private final ReentrantLock sending = new ReentrantLock();

    private final Condition ready = sending.newCondition();
    private final ServerCallStreamObserver<ExecStreamResponse> response;
    private boolean over;

    /** Only the call's own thread knows these. */
    private @Nullable Execution execution;

    private boolean stdinClosed;

    ExecStreamCall(
            ServerCallStreamObserver<ExecStreamResponse> response,
            ExecGate gate,
            Executions executions,
            Executor threads) {
        this.response = response;
        this.gate = gate;
        this.executions = executions;
        this.threads = threads;
        response.setOnReadyThreshold(SEND_AHEAD);
        response.disableAutoRequest();
        response.setOnReadyHandler(this::wakeSenders);
        response.setOnCancelHandler(this::giveUp);
        // The handler waits its turn behind a start; the context does not.
        Context.current().addListener(context -> givenUp.complete(null), Runnable::run);
        response.request(1);
    }

    @Override
    public void onNext(ExecStreamRequest request) {
        Execution started = execution;
        switch (request.getFrameCase()) {
            case START -> {
                if (started == null) {
                    start(request.getStart());
                } else {
                    refuse("a second start; a call runs one command");
                }
            }
            case STDIN -> {
                if (started == null) {
                    refuse("stdin before start");
                } else if (stdinClosed) {
                    refuse("stdin after stdin_close");
                } else {
                    write(started, request.getStdin());
                }
            }
            case STDIN_CLOSE -> {
                if (started == null) {
                    refuse("stdin_close before start");
                } else if (stdinClosed) {
                    refuse("a second stdin_close");
                } else {
                    stdinClosed = true;
                    started.stdin().close();
                    response.request(1);
                }
            }
            case FRAME_NOT_SET -> refuse("an empty frame, or one of a newer protocol");
        }
    }

    private void start(StartExec request) {
        Execution started;
        try {
            started = gate.start(request, givenUp);
        } catch (StatusException e) {
            end(response -> response.onError(e));
            return;
        }
        execution = started;
        // Before anything that may fail: from here on the command is bound to the call.
        givenUp.thenRun(started::kill);
        send(ExecStreamResponse.newBuilder()
                .setStarted(ExecStarted.newBuilder().setExecId(started.id()))
                .build());
        executions.follow(
                started,
                new ExecOutput(
                        (bytes, length) -> sendWhenReady(ExecStreamResponse.newBuilder()
                                .setStdout(unowned(bytes, length))
                                .build()),
                        (bytes, length) -> sendWhenReady(ExecStreamResponse.newBuilder()
                                .setStderr(unowned(bytes, length))
                                .build())));
        started.finished().whenComplete(this::finish);
        response.request(1);
    }

    /** Without a copy: a message is written into a buffer of the connection before {@code onNext} returns. */
    private static ByteString unowned(byte[] bytes, int length) {
        return UnsafeByteOperations.unsafeWrap(bytes, 0, length);
    }

    private void write(Execution started, ByteString bytes) {
        try {
            threads.execute(() -> writeNow(started, bytes));
        } catch (RuntimeException | Error e) {
            loseInput(started, e);
        }
    }

    private void writeNow(Execution started, ByteString bytes) {
        try {
            started.stdin().write(bytes.toByteArray());
            response.request(1);
        } catch (IOException | RuntimeException | Error e) {
            loseInput(started, e);
        }
    }

    private void loseInput(Execution started, Throwable cause) {
        log.error("exec: {}: its input is lost", started.id(), cause);
        end(response -> response.onError(Statuses.internal("the command's input was lost; it is killed", cause)
                .asException()));
        givenUp.complete(null);
    }

    private void finish(ChildEnd end, Throwable failure) {
        if (failure != null) {
            end(response -> response.onError(Statuses.internal("the command could not be followed to its end", failure)
                    .asException()));
            return;
        }
        end(response -> {
            response.onNext(ExecStreamResponse.newBuilder().setExit(exit(end)).build());
            response.onCompleted();
        });
    }

    private static ExecExit exit(ChildEnd end) {
        return switch (end) {
            case ChildEnd.Exited(int status) ->
                ExecExit.newBuilder().setExitCode(status).build();
            case ChildEnd.Killed(int signal) ->
                ExecExit.newBuilder().setSignal(signal).build();
        };
    }

    /** A frame out of order: the other side does not speak the protocol, and its command is killed. */
    private void refuse(String what) {
        end(response -> response.onError(Status.INVALID_ARGUMENT
                .withDescription(what + "; expected start, then stdin, then stdin_close")
                .asException()));
        givenUp.complete(null);
    }

    /** The transport broke, or the caller cancelled. */
    @Override
    public void onError(Throwable cause) {
        giveUp();
    }

    /** Not the end of stdin, which is a frame; but nothing can start any more. */
    @Override
    public void onCompleted() {
        if (execution == null) {
            refuse("the end of the call before start");
        }
    }

    private void giveUp() {
        end(response -> {});
        givenUp.complete(null);
    }

    private void wakeSenders() {
        sending.lock();
        try {
            ready.signalAll();
        } finally {
            sending.unlock();
        }
    }

    private void send(ExecStreamResponse frame) {
        sending.lock();
        try {
            if (!over) {
                response.onNext(frame);
            }
        } finally {
            sending.unlock();
        }
    }

    /** Blocks while the caller does not read, so that the command's pipe fills and the command waits. */
    private void sendWhenReady(ExecStreamResponse frame) throws InterruptedException {
        sending.lockInterruptibly();
        try {
            while (!over && !response.isReady()) {
                ready.await();
            }
            if (over) {
                throw new InterruptedException("the call is over");
            }
            response.onNext(frame);
        } finally {
            sending.unlock();
        }
    }

    /** The first to end the call does it; later ones are too late. */
    private void end(Consumer<ServerCallStreamObserver<ExecStreamResponse>> last) {
        sending.lock();
        try {
            if (!over) {
                over = true;
                ready.signalAll();
                LastWord.say(response, () -> last.accept(response));
            }
        } finally {
            sending.unlock();
        }
    }
}
