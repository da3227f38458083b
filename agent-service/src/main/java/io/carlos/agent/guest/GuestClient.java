package io.carlos.agent.guest;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.container.microvm.Guest;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.HealthRequest;
import io.carlos.model.guest.v1.HealthResponse;
import io.carlos.model.guest.v1.ProvisionRequest;
import io.carlos.model.guest.v1.SignalRequest;
import io.carlos.model.guest.v1.StartExec;
import io.carlos.model.linux.Printable;
import io.grpc.ManagedChannel;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** Calls one guest's supervisor over gRPC. */
public final class GuestClient implements Guest {
    /** A guest whose processors are emulated may be slow, on a busy machine above all. */
    private static final Duration PROVISION_BOUND = Duration.ofSeconds(30);

    /** Makes a whole number of seconds of a duration, and no shorter one. */
    private static final Duration ALMOST_A_SECOND = Duration.ofSeconds(1).minusNanos(1);

    /** Longer than any machine runs, and a number of nanoseconds that gRPC can add to the time. */
    private static final Duration LONGEST = Duration.ofDays(10_000);

    private static final int SIGTERM = 15;

    private final GuestAddress address;
    private final ManagedChannel channel;

    private GuestClient(GuestAddress address, ManagedChannel channel) {
        this.address = address;
        this.channel = channel;
    }

    /**
     * Prepares a client; it connects with its first call.
     *
     * @param loop of Netty's epoll transport, which stays the caller's
     */
    public static GuestClient of(GuestAddress address, EventLoopGroup loop) {
        return of(address, loop, KeepAlive.PATIENT);
    }

    static GuestClient of(GuestAddress address, EventLoopGroup loop, KeepAlive keepAlive) {
        return new GuestClient(address, GuestChannels.open(address, loop, keepAlive));
    }

    @Override
    public Health health(Duration bound) throws CommandException, InterruptedException {
        HealthResponse response = await("health", promptly(bound).health(HealthRequest.getDefaultInstance()));
        return new Health(
                response.getGuestdVersion(),
                response.getNetProvisioned(),
                response.getWorkspaceMounted(),
                response.getBootNonce().toByteArray());
    }

    @Override
    public void provision(int defaultUid, Map<String, String> baseEnvironment)
            throws CommandException, InterruptedException {
        await(
                "provision",
                promptly(PROVISION_BOUND)
                        .provision(ProvisionRequest.newBuilder()
                                .setDefaultExecUid(defaultUid)
                                .putAllBaseEnv(baseEnvironment)
                                .build()));
    }

    @Override
    public ExecOutput exec(ExecSpec spec) throws CommandException, InterruptedException {
        ExecRequest.Builder request = ExecRequest.newBuilder()
                .addAllCommand(spec.command())
                .putAllEnv(spec.environment())
                .setStdin(UnsafeByteOperations.unsafeWrap(spec.stdin()));
        spec.uid().ifPresent(request::setUid);
        spec.workingDirectory().ifPresent(request::setWorkdir);
        GuestControlGrpc.GuestControlFutureStub stub = GuestControlGrpc.newFutureStub(channel);
        if (spec.timeout().isPresent()) {
            // The deadline of the call is exact; the guest's own timeout holds also when the host is gone.
            Duration timeout = spec.timeout().get();
            if (timeout.compareTo(LONGEST) > 0) {
                timeout = LONGEST;
            }
            request.setTimeoutSeconds(
                    Math.max(1, (int) timeout.plus(ALMOST_A_SECOND).toSeconds()));
            stub = stub.withDeadlineAfter(timeout);
        }
        ExecResponse response = await(subject(spec.command()), stub.exec(request.build()));
        return new ExecOutput(bytes(response.getStdout()), bytes(response.getStderr()), response.getExitCode());
    }

    @Override
    public StreamingExec execStreaming(StreamingExecSpec spec) throws CommandException, InterruptedException {
        StartExec.Builder start =
                StartExec.newBuilder().addAllCommand(spec.command()).putAllEnv(spec.environment());
        spec.uid().ifPresent(start::setUid);
        spec.workingDirectory().ifPresent(start::setWorkdir);
        String subject = subject(spec.command());
        StreamedCommand command = new StreamedCommand(subject, channel);
        command.start(start.build());
        return new StreamingExec(command.stdin(), command.stdout(), command.stderr(), command);
    }

    @Override
    public void stopGuest(Duration bound) throws CommandException, InterruptedException {
        await(
                "stop",
                promptly(bound)
                        .signal(SignalRequest.newBuilder().setSignal(SIGTERM).build()));
    }

    private GuestControlGrpc.GuestControlFutureStub promptly(Duration bound) {
        return GuestControlGrpc.newFutureStub(channel).withDeadlineAfter(bound);
    }

    private String subject(List<String> command) {
        return "exec of " + (command.isEmpty() ? "nothing" : Printable.shortened(command.getFirst())) + " in "
                + address;
    }

    private static byte[] bytes(ByteString content) {
        return content.toByteArray();
    }

    private static <T> T await(String what, ListenableFuture<T> answer) throws CommandException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw GuestErrors.of(what, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    /** Breaks off what is under way, and with it the commands; returns at once. */
    @Override
    public void close() {
        channel.shutdownNow();
    }
}
