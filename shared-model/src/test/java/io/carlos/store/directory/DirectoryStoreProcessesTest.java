package io.carlos.store.directory;

import static io.carlos.store.directory.WriteStep.COMPARED;
import static io.carlos.store.directory.WriteStep.DIRECTORY_CREATED;
import static io.carlos.store.directory.WriteStep.DIRECTORY_SYNCED;
import static io.carlos.store.directory.WriteStep.LOCKED;
import static io.carlos.store.directory.WriteStep.PLACED;
import static io.carlos.store.directory.WriteStep.PRUNED;
import static io.carlos.store.directory.WriteStep.REMOVED;
import static io.carlos.store.directory.WriteStep.TEMP_CREATED;
import static io.carlos.store.directory.WriteStep.TEMP_PIECE_WRITTEN;
import static io.carlos.store.directory.WriteStep.TEMP_SYNCED;
import static io.carlos.store.directory.WriteStep.TOLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.testing.Seeded;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoredObject;
import io.carlos.store.WatchableStore.Watch;
import io.carlos.store.directory.StoreProcess.Job;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What several processes do to one store, and what killed ones leave behind. */
@Timeout(300)
class DirectoryStoreProcessesTest {
    private static final int KILLED = 128 + 9;
    private static final ObjectKey KEY = ObjectKey.of("jobs/one");

    @TempDir
    Path root;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    static Stream<Arguments> everyStepOfEveryWrite() {
        List<WriteStep> creating = List.of(
                TEMP_CREATED, TEMP_PIECE_WRITTEN, TEMP_SYNCED, DIRECTORY_CREATED, PLACED, TOLD, DIRECTORY_SYNCED);
        List<WriteStep> replacing = List.of(
                TEMP_CREATED, TEMP_PIECE_WRITTEN, TEMP_SYNCED, LOCKED, COMPARED, PLACED, TOLD, DIRECTORY_SYNCED);
        List<WriteStep> removing = List.of(LOCKED, REMOVED, TOLD, DIRECTORY_SYNCED, PRUNED);
        Map<Job, List<WriteStep>> steps =
                Map.of(Job.CREATE, creating, Job.SWAP, replacing, Job.OVERWRITE, replacing, Job.DELETE, removing);
        return steps.entrySet().stream()
                .flatMap(job -> job.getValue().stream().map(step -> Arguments.of(job.getKey(), step)));
    }

    @ParameterizedTest
    @MethodSource("everyStepOfEveryWrite")
    void aWriterKilledAtAStepLeavesTheOldOrTheNewValueWholeAndNothingInTheWay(Job job, WriteStep step)
            throws Exception {
        Process process = started(StoreProcess.start(root, KEY.value(), job, 20, step, 3));
        List<String> output = StoreProcess.output(process);
        assertThat(process.waitFor()).as("%s", output).isEqualTo(KILLED);

        try (DirectoryObjectStore store = openImpatiently()) {
            assertOldOrNew(store, job, step, output);
            assertThat(temporaryFilesOfOthers()).isEmpty();
            assertNextWritersSucceed(store);
        }
    }

    @Test
    void aWriterKilledAtAnyMomentLeavesTheOldOrTheNewValueWholeAndNothingInTheWay() throws Exception {
        Seeded.check(6, random -> {
            Process process = started(StoreProcess.start(root, KEY.value(), Job.SWAP, 1_000));
            List<String> output = new ArrayList<>();
            try (BufferedReader reader = process.inputReader()) {
                int lines = 2 + random.nextInt(20);
                for (int i = 0; i < lines; i++) {
                    output.add(reader.readLine());
                }
                // Process.destroyForcibly would close the output before it is read.
                process.toHandle().destroyForcibly();
                reader.lines().forEach(output::add);
            }
            assertThat(process.waitFor()).isEqualTo(KILLED);
            try (DirectoryObjectStore store = openImpatiently()) {
                assertOldOrNew(store, Job.SWAP, PLACED, output);
                assertThat(temporaryFilesOfOthers()).isEmpty();
                assertNextWritersSucceed(store);
            }
        });
    }

    @Test
    void temporaryFilesOfALivingWriterAreNotTouched() throws Exception {
        Process process = started(StoreProcess.start(root, KEY.value(), Job.OVERWRITE, 30));
        boolean ended = false;
        while (!ended) {
            DirectoryObjectStore.open(root).close();
            ended = process.waitFor(1, TimeUnit.MILLISECONDS);
        }
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void twoProcessesIncrement10000TimesWithoutALoss() throws Exception {
        // Where syncs cost nothing the two meet more often.
        Path memory = Path.of("/dev/shm");
        Path parent = Files.isWritable(memory) ? memory : root;
        Path fast = Files.createTempDirectory(parent, "carlos-store");
        try (DirectoryObjectStore store = DirectoryObjectStore.open(fast)) {
            store.put(KEY, bytes("0"), Precondition.CREATE_ONLY);
            Process one = started(StoreProcess.start(fast, KEY.value(), Job.INCREMENT, 5_000));
            Process other = started(StoreProcess.start(fast, KEY.value(), Job.INCREMENT, 5_000));
            assertThat(StoreProcess.output(one)).endsWith("done 4999");
            assertThat(StoreProcess.output(other)).endsWith("done 4999");
            assertThat(one.waitFor() + other.waitFor()).isZero();
            assertThat(text(store.get(KEY).orElseThrow())).isEqualTo("10000");
        } finally {
            removeAll(fast);
        }
    }

    @Test
    void aWatchTellsOfTheWriteOfAnotherProcess() throws Exception {
        Semaphore told = new Semaphore(0);
        try (DirectoryObjectStore store = DirectoryObjectStore.open(root);
                Watch _ = store.watch(KEY, told::release)) {
            Process process = started(StoreProcess.start(root, KEY.value(), Job.OVERWRITE, 1));
            do {
                assertThat(told.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            } while (store.get(KEY).isEmpty());
            assertThat(read(store, KEY)).isEqualTo(StoreProcess.value(0));
            assertThat(process.waitFor()).isZero();
        }
    }

    private Process started(Process process) {
        started.add(process);
        return process;
    }

    /** A lock that a dead process still held would fail a test here, not hang it. */
    private DirectoryObjectStore openImpatiently() {
        return DirectoryObjectStore.open(root, Tuning.USUAL.withLockPatience(Duration.ofSeconds(5)));
    }

    private static void assertOldOrNew(DirectoryObjectStore store, Job job, WriteStep step, List<String> output) {
        int begun = last(output, "begun").orElseThrow();
        int done = last(output, "done").orElse(-1);
        assertThat(begun).isIn(done, done + 1);
        switch (job) {
            case CREATE -> {
                for (int i = 0; i <= done; i++) {
                    assertThat(read(store, created(i))).isEqualTo(StoreProcess.value(i));
                }
                Optional<StoredObject> interrupted = store.get(created(begun));
                assertThat(interrupted.isPresent()).isEqualTo(step.compareTo(PLACED) >= 0);
                interrupted.ifPresent(object -> assertThat(object.value()).isEqualTo(StoreProcess.value(begun)));
            }
            case SWAP, OVERWRITE ->
                assertThat(read(store, KEY)).isIn(StoreProcess.value(Math.max(0, done)), StoreProcess.value(begun));
            case DELETE -> {
                Optional<StoredObject> interrupted = store.get(KEY);
                assertThat(interrupted.isPresent()).isEqualTo(step == LOCKED);
                interrupted.ifPresent(object -> assertThat(object.value()).isEqualTo(StoreProcess.value(begun)));
            }
            case INCREMENT -> throw new IllegalArgumentException("no test kills a counter");
        }
    }

    private static void assertNextWritersSucceed(DirectoryObjectStore store) {
        String etag = store.put(KEY, bytes("next"), Precondition.NONE);
        store.put(KEY, bytes("after that"), Precondition.ifMatch(etag));
        assertThat(read(store, KEY)).isEqualTo(bytes("after that"));
        store.delete(KEY);
        store.put(KEY, bytes("again"), Precondition.CREATE_ONLY);
        assertThat(store.list("", "", 100)).anyMatch(row -> row.key().equals(KEY));
    }

    private static Optional<Integer> last(List<String> output, String what) {
        return output.reversed().stream()
                .filter(line -> line.startsWith(what + " "))
                .map(line -> Integer.valueOf(line.substring(what.length() + 1)))
                .findFirst();
    }

    private static ObjectKey created(int i) {
        return ObjectKey.of(KEY + "/" + i + "/x");
    }

    private List<String> temporaryFilesOfOthers() throws IOException {
        String own = ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(root.resolve("tmp"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith(own))
                    .toList();
        }
    }

    private static void removeAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static byte[] read(DirectoryObjectStore store, ObjectKey key) {
        return store.get(key).orElseThrow().value();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(StoredObject object) {
        return new String(object.value(), StandardCharsets.US_ASCII);
    }
}
