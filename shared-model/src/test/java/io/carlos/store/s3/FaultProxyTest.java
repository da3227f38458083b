package io.carlos.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.PreflightReport;
import io.carlos.store.PreflightVerdict;
import io.carlos.store.StorePreflight;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What writers who follow the store's contract reach through a network that breaks. */
@ExtendWith(S3Server.class)
class FaultProxyTest {
    private static final int WRITERS = 4;
    private static final int INCREMENTS = 10;

    private final S3Server.Endpoint server;
    private final long seed = ThreadLocalRandom.current().nextLong();

    FaultProxyTest(S3Server.Endpoint server) {
        this.server = server;
    }

    @Test
    @Timeout(120)
    void aCounterWhoseWritersKnowTheirOwnWritesIsExactThroughEveryFault() throws Exception {
        Map<FaultProxy.Fault, Double> faults = Map.of(
                FaultProxy.Fault.LOSE_REQUEST, 0.1,
                FaultProxy.Fault.LOSE_ANSWER, 0.15,
                FaultProxy.Fault.ERROR_AFTER_WRITE, 0.15,
                FaultProxy.Fault.RACE, 0.1,
                FaultProxy.Fault.DELAY, 0.2);
        ObjectKey key = ObjectKey.of("fault-proxy-" + Long.toHexString(seed));
        try (FaultProxy proxy = new FaultProxy(server.server(), seed, faults);
                S3ObjectStore store =
                        S3ObjectStore.open(server.settings().at(proxy.uri(), true), server.credentials());
                S3ObjectStore direct = S3ObjectStore.open(server.settings(), server.credentials());
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            direct.put(key, bytes(""), Precondition.CREATE_ONLY);
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "w" + i;
                writers.add(executor.submit(() -> appendAll(store, key, name)));
            }
            for (Future<?> writer : writers) {
                writer.get(100, TimeUnit.SECONDS);
            }
            assertThat(text(direct.get(key).orElseThrow()).split(" "))
                    .as("seed %d", seed)
                    .hasSize(WRITERS * INCREMENTS)
                    .doesNotHaveDuplicates();
            assertThat(proxy.count(FaultProxy.Fault.LOSE_ANSWER) + proxy.count(FaultProxy.Fault.ERROR_AFTER_WRITE))
                    .as("seed %d: writes that were done and not acknowledged", seed)
                    .isPositive();
            direct.delete(key);
        }
    }

    @Test
    @Timeout(120)
    void aPreflightThroughLostAnswersDoesNotCallTheServerBroken() throws Exception {
        Map<FaultProxy.Fault, Double> faults =
                Map.of(FaultProxy.Fault.LOSE_ANSWER, 0.05, FaultProxy.Fault.ERROR_AFTER_WRITE, 0.05);
        try (FaultProxy proxy = new FaultProxy(server.server(), seed, faults);
                S3ObjectStore store =
                        S3ObjectStore.open(server.settings().at(proxy.uri(), true), server.credentials())) {
            PreflightReport report = new StorePreflight(store).run();
            assertThat(report.lines())
                    .as("seed %d: %s", seed, report)
                    .extracting(PreflightReport.Line::verdict)
                    .doesNotContain(PreflightVerdict.REFUSED);
        }
    }

    /** Appends name-0, name-1 and so on, each once: after an unknown outcome it looks whether its word is there. */
    private static void appendAll(ObjectStore store, ObjectKey key, String name) {
        for (int i = 0; i < INCREMENTS; i++) {
            String word = name + "-" + i;
            boolean done = false;
            while (!done) {
                done = isThereOrAppended(store, key, word);
            }
        }
    }

    private static boolean isThereOrAppended(ObjectStore store, ObjectKey key, String word) {
        try {
            StoredObject current = store.get(key).orElseThrow();
            String words = text(current);
            if (List.of(words.split(" ")).contains(word)) {
                return true;
            }
            String next = words.isEmpty() ? word : words + " " + word;
            store.put(key, bytes(next), Precondition.ifMatch(current.etag()));
            return true;
        } catch (CasConflictException | AmbiguousWriteException | StoreUnavailableException e) {
            return false;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(StoredObject object) {
        return new String(object.value(), StandardCharsets.US_ASCII);
    }
}
