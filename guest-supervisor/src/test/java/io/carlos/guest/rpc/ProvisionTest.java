package io.carlos.guest.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.carlos.guest.state.GuestLifecycle;
import io.carlos.guest.state.GuestState;
import io.carlos.model.guest.v1.HealthRequest;
import io.carlos.model.guest.v1.HealthResponse;
import io.carlos.model.guest.v1.ProvisionRequest;
import io.carlos.model.guest.v1.ProvisionResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Provision and Health of a machine of which not all is there. */
class ProvisionTest {
    private final GuestLifecycle lifecycle = new GuestLifecycle();
    private boolean networkUp = true;
    private boolean workspaceMounted = true;

    /** Nothing here starts a command. */
    private final GuestControlService service = new GuestControlService(
            new GuestFacts("1", () -> networkUp, () -> workspaceMounted, ByteString.EMPTY),
            lifecycle,
            null,
            Runnable::run,
            null,
            () -> {});

    private static final class Answer<T> implements StreamObserver<T> {
        private Status status = Status.UNKNOWN;

        @Override
        public void onNext(T message) {
            status = Status.UNKNOWN;
        }

        @Override
        public void onError(Throwable cause) {
            status = Status.fromThrowable(cause);
        }

        @Override
        public void onCompleted() {
            status = Status.OK;
        }
    }

    @BeforeEach
    void boot() {
        lifecycle.booted();
    }

    private Status provision() {
        Answer<ProvisionResponse> answer = new Answer<>();
        service.provision(ProvisionRequest.newBuilder().setDefaultExecUid(1_000).build(), answer);
        return answer.status;
    }

    private Status health() {
        Answer<HealthResponse> answer = new Answer<>();
        service.health(HealthRequest.getDefaultInstance(), answer);
        return answer.status;
    }

    @Test
    void withoutANetworkNoMachineIsProvisioned() {
        networkUp = false;
        assertThat(provision().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(lifecycle.state()).isEqualTo(new GuestState.Ready());
    }

    @Test
    void withoutAWorkspaceNoMachineIsProvisionedUntilItIsThere() {
        workspaceMounted = false;
        assertThat(provision().getDescription()).contains("workspace is not mounted");
        workspaceMounted = true;
        assertThat(provision().getCode()).isEqualTo(Status.Code.OK);
    }

    @Test
    void aStoppingMachineIsNotHealthy() {
        assertThat(health().getCode()).isEqualTo(Status.Code.OK);
        lifecycle.stop();
        assertThat(health().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }
}
