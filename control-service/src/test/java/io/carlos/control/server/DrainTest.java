package io.carlos.control.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.peer.Verdict;
import io.carlos.control.request.Endpoint;
import io.carlos.control.testing.Await;
import io.carlos.control.testing.RawClient;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done for a client that has gone. */
@Timeout(60)
class DrainTest {
    @Test
    void theServerWaitsForWhatIsDoneForAClientThatHasGone(@TempDir Path directory) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Endpoint endpoint = new Endpoint("wait", Endpoint.Method.POST, "/wait", true, List.of(), query -> {
            release.await();
            ended.countDown();
            return null;
        });
        Path socket = directory.resolve("s");
        try (ServedEndpoints served = new ServedEndpoints(
                ListeningSocket.at(socket),
                any -> CompletableFuture.completedFuture(new Verdict.Admitted()),
                ServerLimits.DEFAULT,
                List.of(endpoint))) {
            served.start();
            try (RawClient client = RawClient.connect(socket)) {
                client.request("POST /wait");
                Await.until("the request and what is done for it", () -> served.openRequests.open() == 2);
            }
            Await.until("the client is gone", () -> served.openRequests.open() == 1);
            CompletableFuture<Void> drained = new CompletableFuture<>();

            served.server.shutDownGracefully(result -> drained.complete(null));

            assertThat(drained).isNotDone();
            release.countDown();
            drained.get();
            assertThat(ended.getCount()).isZero();
        }
    }

    @Test
    void aTaskThatNobodyTakesIsNotWaitedFor() throws Exception {
        OpenRequests openRequests = new OpenRequests();
        Executor full = openRequests.count((Executor) task -> {
            throw new RejectedExecutionException("planned");
        });

        assertThatThrownBy(() -> full.execute(() -> {})).hasMessage("planned");

        openRequests.awaitNone();
    }
}
