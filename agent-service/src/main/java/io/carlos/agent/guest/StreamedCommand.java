package io.carlos.agent.guest;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.ByteString;
import io.carlos.agent.container.ChildHandle;
import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandTimeoutException;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.model.guest.v1.ExecExit;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.ExecStreamResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.SignalRequest;
import io.carlos.model.guest.v1.SignalResponse;
import io.carlos.model.guest.v1.StartExec;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** One call of ExecStream, seen from the host. */
final class StreamedCommand implements ChildHandle, ClientResponseObserver<ExecStreamRequest, ExecStreamResponse> {
    /** How many pieces of output are on the way, or here and over what their stream has room for. */
    private static final int WINDOW = 32;

    private static final int REQUESTED_AT_ONCE = WINDOW / 2;

    /** A guest sends pieces of 32 KiB at most; one that sends more is not to fill the host's memory. */
    private static final int LARGEST_FRAME = 64 * 1024;

    /** What a guest may still send of a command that it has killed: its pipes, and what was on the way. */
    private static final int LARGEST_REST = 16 * 1024 * 1024;

    /** What a piece counts for beside its bytes. */
    private static final int PIECE_COST = 64;

    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;
    private static final Duration KILL_BOUND = Duration.ofSeconds(2);

    /** How long a program may take to be executed: its file may be on a slow disk, the guest's processors emulated. */
    private static final Duration START_BOUND = Duration.ofSeconds(60);

    /** How long the end of a command may take that the guest has agreed to kill; it allows itself 12 seconds. */
    private static final Duration END_BOUND = Duration.ofSeconds(20);

    private final String subject;
    private final Channel channel;
    private final Duration endBound;
    private final CompletableFuture<String> started = new CompletableFuture<>();
    private final CompletableFuture<ExecExit> exited = new CompletableFuture<>();
    private final ReceivedStream stdout = new ReceivedStream(this::requestMore);
    private final ReceivedStream stderr = new ReceivedStream(this::requestMore);
    private final CommandInput stdin;
    private final AtomicInteger taken = new AtomicInteger();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CompletableFuture<ClientCallStreamObserver<ExecStreamRequest>> call = new CompletableFuture<>();

    /** The guest has agreed to kill the command. */
    private volatile boolean dead;

    /** Only the connection's thread knows these. */
    private boolean over;

    private long rest;

    StreamedCommand(String subject, Channel channel) {
        this(subject, channel, END_BOUND);
    }

    /** @param endBound how long the end of a killed command may take, and that of a call behind its command's */
    StreamedCommand(String subject, Channel channel, Duration endBound) {
        this.subject = subject;
        this.channel = channel;
        this.endBound = endBound;
        this.stdin = new CommandInput(subject, call, exited::isDone);
    }

    InputStream stdout() {
        return stdout;
    }

    InputStream stderr() {
        return stderr;
    }

    OutputStream stdin() {
        return stdin;
    }

    /** Returns when the program has been executed. */
    void start(StartExec request) throws CommandException, InterruptedException {
        start(request, START_BOUND);
    }

    /**
     * As the other.
     *
     * @throws CommandTimeoutException it had not been executed within the bound, and is killed
     */
    void start(StartExec request, Duration bound) throws CommandException, InterruptedException {
        CallOptions options = CallOptions.DEFAULT.withMaxInboundMessageSize(LARGEST_FRAME);
        ClientCalls.asyncBidiStreamingCall(channel.newCall(OutputFrames.EXEC_STREAM, options), this);
        call().onNext(ExecStreamRequest.newBuilder().setStart(request).build());
        try {
            started.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw GuestErrors.of(subject, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            stdin.cancel("not started in time", e);
            throw new CommandTimeoutException(
                    subject + ": the guest did not say within " + bound.toMillis() + " ms that it has started", e);
        } catch (InterruptedException e) {
            stdin.cancel("interrupted while the command was started", e);
            throw e;
        }
    }

    private ClientCallStreamObserver<ExecStreamRequest> call() {
        return call.join();
    }

    /** Many at once: every request wakes up the connection's thread. */
    private void requestMore() {
        if (taken.incrementAndGet() % REQUESTED_AT_ONCE == 0) {
            call().request(REQUESTED_AT_ONCE);
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ExecStreamRequest> stream) {
        stream.disableAutoRequestWithInitial(WINDOW);
        stream.setOnReadyHandler(stdin::wake);
        call.complete(stream);
    }

    @Override
    public void onNext(ExecStreamResponse frame) {
        if (over) {
            stdin.cancel("the guest sent more after the command's end", null);
            return;
        }
        switch (frame.getFrameCase()) {
            case STARTED -> {
                // The empty identifier is the guest's own: a signal to it would stop the guest.
                String id = frame.getStarted().getExecId();
                if (id.isEmpty() || !started.complete(id)) {
                    refuse("a second start, or one without an identifier");
                    return;
                }
                requestMore();
            }
            case STDOUT -> receive(stdout, frame.getStdout());
            case STDERR -> receive(stderr, frame.getStderr());
            case EXIT -> {
                if (!started.isDone()) {
                    refuse("an end before the start");
                    return;
                }
                end(frame.getExit());
            }
            case FRAME_NOT_SET -> requestMore();
        }
    }

    private void receive(ReceivedStream stream, ByteString piece) {
        if (!started.isDone()) {
            refuse("output before the start");
            return;
        }
        if (dead) {
            rest += piece.size() + PIECE_COST;
            if (rest > LARGEST_REST) {
                refuse("more output than a killed command can have left");
                return;
            }
        }
        stream.receive(piece);
    }

    /** All output has come before it. A guest that does not end the call as well is waited for by nobody. */
    private void end(ExecExit exit) {
        over = true;
        exited.complete(exit);
        stdout.end(null);
        stderr.end(null);
        stdin.wake();
        requestMore();
        var unused = closed.orTimeout(endBound.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> {
                    stdin.cancel("the guest did not end the call after the command's end", late);
                    return null;
                });
    }

    /** The guest does not speak the protocol, and nothing that it says of the command can be relied on. */
    private void refuse(String what) {
        Throwable cause =
                Status.DATA_LOSS.withDescription("the guest sent " + what).asException();
        onError(cause);
        stdin.cancel(what, cause);
    }

    @Override
    public void onError(Throwable cause) {
        closed.complete(null);
        started.completeExceptionally(cause);
        exited.completeExceptionally(cause);
        endStreams(GuestErrors.of(subject, cause));
    }

    @Override
    public void onCompleted() {
        closed.complete(null);
        if (!over) {
            onError(Status.DATA_LOSS
                    .withDescription("the guest ended the call without telling how the command ended")
                    .asException());
        }
    }

    private void endStreams(IOException cause) {
        stdout.end(cause);
        stderr.end(cause);
        stdin.wake();
    }

    /** If the guest does not take the signal in time, the end of the call kills the command as well. */
    @Override
    public void kill() {
        if (!exited.isDone()) {
            // The end comes behind the output, whose reader may be held up for long.
            stdout.takeTheRest();
            stderr.takeTheRest();
            signal(SIGKILL, true);
        }
    }

    @Override
    public void terminate() {
        if (!exited.isDone()) {
            signal(SIGTERM, false);
        }
    }

    private void signal(int number, boolean orCancel) {
        SignalRequest request = SignalRequest.newBuilder()
                .setExecId(started.getNow(""))
                .setSignal(number)
                .build();
        Futures.addCallback(
                GuestControlGrpc.newFutureStub(channel)
                        .withDeadlineAfter(KILL_BOUND)
                        .signal(request),
                new FutureCallback<SignalResponse>() {
                    @Override
                    public void onSuccess(SignalResponse taken) {
                        // The end of the command is told by its own call, unless the guest only says so.
                        if (orCancel) {
                            dead = true;
                            awaitEndOfKilled(number);
                        }
                    }

                    @Override
                    public void onFailure(Throwable cause) {
                        if (orCancel) {
                            endAsKilled(number, cause);
                        }
                    }
                },
                MoreExecutors.directExecutor());
    }

    /** A guest that waited for the reader meanwhile has the bound again: what it may still send has its own. */
    private void awaitEndOfKilled(int signal) {
        CompletableFuture.delayedExecutor(endBound.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    boolean waited = stdout.wasFull() | stderr.wasFull();
                    if (!waited) {
                        endAsKilled(signal, new IOException("no end within " + endBound.toMillis() + " ms"));
                    } else if (!exited.isDone()) {
                        awaitEndOfKilled(signal);
                    }
                });
    }

    private void endAsKilled(int signal, Throwable cause) {
        if (exited.complete(ExecExit.newBuilder().setSignal(signal).build())) {
            stdin.cancel("killed", cause);
        }
    }

    @Override
    public int waitFor() throws ExitStatusException, CommandException, InterruptedException {
        try {
            ExecExit exit = exited.get();
            if (exit.getSignal() != 0) {
                throw new ExitStatusException(exit.getSignal());
            }
            return exit.getExitCode();
        } catch (ExecutionException e) {
            throw GuestErrors.of(subject, e.getCause() == null ? e : e.getCause());
        }
    }
}
