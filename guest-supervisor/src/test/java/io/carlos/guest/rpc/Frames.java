package io.carlos.guest.rpc;

import com.google.protobuf.ByteString;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.ExecStreamResponse;
import io.carlos.model.guest.v1.StartExec;
import io.carlos.model.guest.v1.StdinClose;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One call of ExecStream whose every frame is recorded. */
final class Frames implements ClientResponseObserver<ExecStreamRequest, ExecStreamResponse> {
    private final List<ExecStreamResponse> received = new ArrayList<>();
    private final CompletableFuture<String> started = new CompletableFuture<>();
    private final CompletableFuture<ByteString> output = new CompletableFuture<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private final CompletableFuture<ClientCallStreamObserver<ExecStreamRequest>> call = new CompletableFuture<>();

    static Frames open(Connection connection) {
        Frames frames = new Frames();
        connection.streams().execStream(frames);
        return frames;
    }

    static Frames start(Connection connection, String... command) {
        Frames frames = open(connection);
        frames.send(startFrame(command));
        return frames;
    }

    static ExecStreamRequest startFrame(String... command) {
        return ExecStreamRequest.newBuilder()
                .setStart(StartExec.newBuilder().addAllCommand(List.of(command)))
                .build();
    }

    static ExecStreamRequest stdinFrame(String text) {
        return ExecStreamRequest.newBuilder()
                .setStdin(ByteString.copyFromUtf8(text))
                .build();
    }

    static ExecStreamRequest closeFrame() {
        return ExecStreamRequest.newBuilder()
                .setStdinClose(StdinClose.getDefaultInstance())
                .build();
    }

    Frames send(ExecStreamRequest frame) {
        call.join().onNext(frame);
        return this;
    }

    void halfClose() {
        call.join().onCompleted();
    }

    void cancel() {
        call.join().cancel("the test gives up", null);
    }

    String execId() throws Exception {
        return started.get(Connection.BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    Status status() throws Exception {
        return end.get(Connection.BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    void awaitOutput() throws Exception {
        output.get(Connection.BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    /** Every frame, once the call has ended well. */
    List<ExecStreamResponse> frames() throws Exception {
        Status status = status();
        if (!status.isOk()) {
            throw new AssertionError(status.toString());
        }
        return received;
    }

    ExecStreamResponse last() throws Exception {
        return frames().getLast();
    }

    ByteString stdout() throws Exception {
        return frames().stream().map(ExecStreamResponse::getStdout).reduce(ByteString.EMPTY, ByteString::concat);
    }

    ByteString stderr() throws Exception {
        return frames().stream().map(ExecStreamResponse::getStderr).reduce(ByteString.EMPTY, ByteString::concat);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ExecStreamRequest> stream) {
        call.complete(stream);
    }

    @Override
    public void onNext(ExecStreamResponse frame) {
        received.add(frame);
        if (frame.hasStarted()) {
            started.complete(frame.getStarted().getExecId());
        } else if (frame.hasStdout()) {
            output.complete(frame.getStdout());
        }
    }

    @Override
    public void onError(Throwable cause) {
        started.completeExceptionally(cause);
        end.complete(Status.fromThrowable(cause));
    }

    @Override
    public void onCompleted() {
        started.completeExceptionally(new AssertionError("the call ended without `started`"));
        end.complete(Status.OK);
    }
}
