package io.carlos.guest.rpc;

import io.carlos.guest.exec.ExecCommand;
import io.carlos.guest.exec.ExecRefusedException;
import io.carlos.guest.exec.Execution;
import io.carlos.guest.exec.Executions;
import io.carlos.guest.state.GuestLifecycle;
import io.carlos.guest.state.Provision;
import io.carlos.guest.state.WrongStateException;
import io.carlos.model.guest.v1.ExecRequest;
import io.carlos.model.guest.v1.ExecResponse;
import io.carlos.model.guest.v1.ExecStreamRequest;
import io.carlos.model.guest.v1.ExecStreamResponse;
import io.carlos.model.guest.v1.GuestControlGrpc;
import io.carlos.model.guest.v1.HealthRequest;
import io.carlos.model.guest.v1.HealthResponse;
import io.carlos.model.guest.v1.ProvisionRequest;
import io.carlos.model.guest.v1.ProvisionResponse;
import io.carlos.model.guest.v1.SignalRequest;
import io.carlos.model.guest.v1.SignalResponse;
import io.carlos.model.linux.Printable;
import io.carlos.model.linux.process.Signal;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/** The protocol of guest_control.proto, whose comments say what each call promises. */
public final class GuestControlService extends GuestControlGrpc.GuestControlImplBase {
    private static final int MAX_SIGNAL = 64;

    private final GuestFacts facts;
    private final GuestLifecycle lifecycle;
    private final Executions executions;
    private final Executor threads;
    private final ScheduledExecutorService timer;
    private final Runnable stop;
    private final ExecGate gate;
    private final OutputBudget budget = OutputBudget.ofThisProcess();

    /**
     * @param threads runs each task on a platform thread of its own
     * @param stop begins the stop of the guest, and returns at once
     */
    public GuestControlService(
            GuestFacts facts,
            GuestLifecycle lifecycle,
            Executions executions,
            Executor threads,
            ScheduledExecutorService timer,
            Runnable stop) {
        this.facts = facts;
        this.lifecycle = lifecycle;
        this.executions = executions;
        this.threads = threads;
        this.timer = timer;
        this.stop = stop;
        this.gate = new ExecGate(lifecycle, executions);
    }

    @Override
    public void health(HealthRequest request, StreamObserver<HealthResponse> response) {
        try {
            lifecycle.requireServing();
        } catch (WrongStateException e) {
            response.onError(Statuses.of(e).asException());
            return;
        }
        response.onNext(HealthResponse.newBuilder()
                .setGuestdVersion(facts.version())
                .setNetProvisioned(facts.networkUp().getAsBoolean())
                .setWorkspaceMounted(facts.workspaceMounted().getAsBoolean())
                .setBootNonce(facts.bootNonce())
                .build());
        response.onCompleted();
    }

    @Override
    public void provision(ProvisionRequest request, StreamObserver<ProvisionResponse> response) {
        try {
            if (!request.getNftScript().isEmpty()) {
                throw Status.UNIMPLEMENTED
                        .withDescription("this guest has no packet filter yet; leave nft_script empty")
                        .asException();
            }
            ExecCommand.requireIdentity(request.getDefaultExecUid());
            ExecCommand.requireEnvironment(request.getBaseEnvMap());
            requireParts();
            lifecycle.provision(new Provision(request.getDefaultExecUid(), request.getBaseEnvMap()));
        } catch (StatusException e) {
            response.onError(e);
            return;
        } catch (ExecRefusedException e) {
            response.onError(Statuses.of(e).asException());
            return;
        } catch (WrongStateException e) {
            response.onError(Statuses.of(e).asException());
            return;
        }
        response.onNext(ProvisionResponse.getDefaultInstance());
        response.onCompleted();
    }

    /** Without them commands would run beside the files and the network that they are meant for. */
    private void requireParts() throws StatusException {
        if (!facts.networkUp().getAsBoolean()) {
            throw missing("no network interface of the guest is up");
        }
        if (!facts.workspaceMounted().getAsBoolean()) {
            throw missing("the guest's workspace is not mounted");
        }
    }

    private static StatusException missing(String what) {
        return Status.FAILED_PRECONDITION
                .withDescription(what + "; provision it when its health says so")
                .asException();
    }

    @Override
    public void exec(ExecRequest request, StreamObserver<ExecResponse> response) {
        new UnaryExec(request, (ServerCallStreamObserver<ExecResponse>) response, budget)
                .run(gate, executions, threads, timer);
    }

    @Override
    public StreamObserver<ExecStreamRequest> execStream(StreamObserver<ExecStreamResponse> response) {
        return new ExecStreamCall((ServerCallStreamObserver<ExecStreamResponse>) response, gate, executions, threads);
    }

    @Override
    public void signal(SignalRequest request, StreamObserver<SignalResponse> response) {
        try {
            if (request.getExecId().isEmpty()) {
                signalGuest(request.getSignal());
            } else {
                signalExec(request.getExecId(), request.getSignal());
            }
        } catch (StatusException e) {
            response.onError(e);
            return;
        } catch (IOException e) {
            response.onError(Statuses.internal("exec " + request.getExecId() + " cannot be signalled", e)
                    .asException());
            return;
        }
        response.onNext(SignalResponse.getDefaultInstance());
        response.onCompleted();
    }

    private void signalGuest(int signal) throws StatusException {
        if (signal != Signal.TERM.number()) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("signal " + signal + " to the guest itself; it takes SIGTERM (15) only")
                    .asException();
        }
        stop.run();
    }

    private void signalExec(String id, int signal) throws StatusException, IOException {
        if (signal < 1 || signal > MAX_SIGNAL) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("signal " + signal + "; expected 1 to " + MAX_SIGNAL)
                    .asException();
        }
        Optional<Execution> running = executions.running(id);
        if (running.isPresent()) {
            running.get().signal(signal);
        } else if (!executions.isKnown(id)) {
            throw Statuses.described(
                            Status.NOT_FOUND,
                            "no exec ever had the id \"" + Printable.shortened(id) + "\"; it is in the frame `started`")
                    .asException();
        }
    }
}
