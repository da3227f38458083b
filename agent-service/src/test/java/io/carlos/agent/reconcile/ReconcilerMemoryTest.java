package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.ConditionalRead;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A pass remembers what is in the store now, and nothing of what was: a JVM whose heap holds 10,000 records and little more
 * gets through 50 passes, in which a quarter of a million records change, and hosts come and go. It ends with an error if it kept a
 * tenth of them.
 */
class ReconcilerMemoryTest {
    private static final int RECORDS = 10_000;
    private static final int PASSES = 50;

    @Test
    void a_heap_that_holds_ten_thousand_records_holds_fifty_passes_over_them() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx48m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReconcilerMemoryTest.class.getName())
                .redirectErrorStream(true)
                .start();

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("passes: " + PASSES);
    }

    public static void main(String[] arguments) throws Exception {
        GeneratedRecords store = new GeneratedRecords();
        SystemScheduler scheduler = new SystemScheduler();
        Reconciler reconciler = new Reconciler(
                new BoxIdentity("b1", "boot", "r1", List.of()),
                ClaimPolicy.unowned(record -> false),
                Fleet.NONE,
                store,
                new RecordStore(store, scheduler, new Random(1)),
                record -> {},
                scheduler);
        while (store.pass < PASSES) {
            PassReport report = reconciler.pass();
            if (report.listed() != RECORDS || report.unreadable() != 0 || report.read() < RECORDS / 2) {
                throw new AssertionError(report.toString());
            }
            store.pass++;
        }
        System.out.println("passes: " + store.pass);
    }

    /**
     * Records that are made when they are read, so that the heap holds what the reconciler keeps and nothing else. From pass to
     * pass every second one changes, and its neighbour's place is taken by another host now and then.
     */
    private static final class GeneratedRecords implements ObjectStore {
        private final String template = template();
        private int pass;

        private static String template() {
            InMemoryObjectStore objects = new InMemoryObjectStore();
            InstanceRecord record = Records.of("template.example.com").withBox("b1");
            new RecordStore(objects, new SystemScheduler(), new Random(1)).create(record);
            return new String(objects.get(record.ref().key()).orElseThrow().value(), StandardCharsets.UTF_8);
        }

        private Host host(int record) {
            int generation = record % 20 == 1 ? pass : 0;
            return Host.of(String.format(Locale.ROOT, "h%05d-%d.example.com", record, generation));
        }

        private String etag(int record) {
            return record + "-" + (record % 2 == 0 ? pass : 0);
        }

        private ObjectKey key(int record) {
            return ref(host(record)).key();
        }

        private static RecordRef ref(Host host) {
            return new RecordRef(
                    Records.of("a.example.com").account(),
                    Records.of("a.example.com").app(),
                    host);
        }

        private static int number(ObjectKey key) {
            String host = RecordRef.parse(key).orElseThrow().host().value();
            return Integer.parseInt(host.substring(1, 6));
        }

        @Override
        public Optional<StoredObject> get(ObjectKey key) {
            int record = number(key);
            String host = host(record).value();
            byte[] value = template.replace("template.example.com", host).getBytes(StandardCharsets.UTF_8);
            return Optional.of(new StoredObject(key, value, etag(record), Records.CREATED));
        }

        @Override
        public List<ListedObject> list(String prefix, String startAfter, int limit) {
            int first = startAfter.isEmpty() ? 0 : number(ObjectKey.of(startAfter)) + 1;
            return IntStream.range(first, Math.min(RECORDS, first + limit))
                    .mapToObj(record -> new ListedObject(key(record), etag(record), template.length(), Records.CREATED))
                    .toList();
        }

        @Override
        public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String put(ObjectKey key, byte[] value, Precondition precondition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void delete(ObjectKey key) {
            throw new UnsupportedOperationException();
        }
    }
}
