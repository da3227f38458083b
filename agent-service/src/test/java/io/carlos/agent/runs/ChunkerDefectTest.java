package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.agent.fleet.Fleet;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.InMemoryObjectStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ChunkerDefectTest {
    private static final RunId RUN = RunId.of("run_" + "a".repeat(26));

    private final SystemScheduler scheduler = new SystemScheduler();
    private final FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore());

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void storeThatFailsByADefectLosesTheOutputAndHangsNobody() throws Exception {
        store.beforeNext(FaultyObjectStore.Call.PUT, key -> true, () -> {
            throw new IllegalStateException("a defect");
        });
        CountDownLatch lost = new CountDownLatch(1);
        Chunker chunker = chunker(lost::countDown);
        chunker.write(OutputChannel.STDOUT, new byte[] {1}, 0, 1);

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(chunker::close)
                .withMessageContaining("a defect");
        assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private Chunker chunker(Runnable onLost) {
        Lease lease = new Lease(RUN, scheduler.now().plus(Duration.ofHours(1)), scheduler, Fleet.NONE, Optional::empty);
        RunKeys keys = new RunKeys(Account.of("acme"), App.of("web"), RUN);
        return new Chunker("chunks", scheduler, new ChunkStore(store, scheduler, keys, lease), onLost);
    }
}
