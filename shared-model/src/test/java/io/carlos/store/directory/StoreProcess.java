package io.carlos.store.directory;

import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoredObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Another process that uses the store: its main class, and how a test starts it. */
final class StoreProcess {
    /** What the other process does. */
    enum Job {
        /** Creates {@code <key>/0/x}, {@code <key>/1/x} and so on. */
        CREATE,
        /** Replaces the key's value again and again, by what it read last. */
        SWAP,
        OVERWRITE,
        /** Writes the key's value and removes it, again and again; only the removals are reported. */
        DELETE,
        /** Adds one to the number that is the key's value. */
        INCREMENT
    }

    private static final int VALUE_LENGTH = 1_200_000;

    private StoreProcess() {}

    /**
     * Starts a process that does its job so many times, printing {@code begun <i>} and {@code done <i>} around each.
     *
     * @param death the step at which it kills itself, or null
     * @param passes how often it passes that step before it does
     */
    static Process start(Path root, String key, Job job, int times, WriteStep death, int passes) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName(),
                root.toString(),
                key,
                job.name(),
                Integer.toString(times)));
        if (death != null) {
            command.addAll(List.of(death.name(), Integer.toString(passes)));
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static Process start(Path root, String key, Job job, int times) throws IOException {
        return start(root, key, job, times, null, 0);
    }

    static List<String> output(Process process) throws IOException {
        try (BufferedReader reader = process.inputReader()) {
            return reader.lines().toList();
        }
    }

    /** The value of the i-th write: long enough to be written in pieces, and unlike any other in each of its parts. */
    static byte[] value(int i) {
        String line = "value %06d\n".formatted(i);
        return line.repeat(VALUE_LENGTH / line.length()).getBytes(StandardCharsets.US_ASCII);
    }

    public static void main(String[] arguments) {
        ObjectKey key = ObjectKey.of(arguments[1]);
        Job job = Job.valueOf(arguments[2]);
        int times = Integer.parseInt(arguments[3]);
        Death death = arguments.length > 4
                ? new Death(WriteStep.valueOf(arguments[4]), Integer.parseInt(arguments[5]))
                : new Death(null, 0);
        WriteObserver observer = job == Job.INCREMENT ? StoreProcess::dawdle : death;
        try (DirectoryObjectStore store =
                DirectoryObjectStore.open(Path.of(arguments[0]), Tuning.USUAL.withObserver(observer))) {
            for (int i = 0; i < times; i++) {
                prepare(store, key, job, i);
                report("begun", i);
                death.armed = true;
                work(store, key, job, i);
                death.armed = false;
                report("done", i);
            }
        }
    }

    private static void prepare(DirectoryObjectStore store, ObjectKey key, Job job, int i) {
        switch (job) {
            case CREATE, OVERWRITE, INCREMENT -> {}
            case SWAP -> {
                if (i == 0) {
                    store.put(key, value(0), Precondition.NONE);
                }
            }
            case DELETE -> store.put(key, value(i), Precondition.CREATE_ONLY);
        }
    }

    private static void work(DirectoryObjectStore store, ObjectKey key, Job job, int i) {
        switch (job) {
            case CREATE -> store.put(ObjectKey.of(key + "/" + i + "/x"), value(i), Precondition.CREATE_ONLY);
            case SWAP -> {
                String etag = store.get(key).orElseThrow().etag();
                store.put(key, value(i), Precondition.ifMatch(etag));
            }
            case OVERWRITE -> store.put(key, value(i), Precondition.NONE);
            case DELETE -> store.delete(key);
            case INCREMENT -> increment(store, key);
        }
    }

    private static void increment(DirectoryObjectStore store, ObjectKey key) {
        while (true) {
            StoredObject current = store.get(key).orElseThrow();
            int next = Integer.parseInt(new String(current.value(), StandardCharsets.US_ASCII)) + 1;
            byte[] value = Integer.toString(next).getBytes(StandardCharsets.US_ASCII);
            try {
                store.put(key, value, Precondition.ifMatch(current.etag()));
                return;
            } catch (CasConflictException e) {
                // The other process was first.
            }
        }
    }

    /** Makes the moment long in which another process could come in between, if no lock kept it out. */
    private static void dawdle(WriteStep passed) {
        if (passed == WriteStep.COMPARED) {
            LockSupport.parkNanos(50_000);
        }
    }

    private static void report(String what, int i) {
        System.out.println(what + " " + i);
        System.out.flush();
    }

    /** Kills this process, as hard as can be, at a step of a write. */
    private static final class Death implements WriteObserver {
        private final WriteStep step;
        private final AtomicInteger passesLeft;
        private volatile boolean armed;

        Death(WriteStep step, int passes) {
            this.step = step;
            this.passesLeft = new AtomicInteger(passes);
        }

        @Override
        public void passed(WriteStep passed) {
            if (armed && passed == step && passesLeft.getAndDecrement() == 0) {
                killThisProcess();
            }
        }

        private static void killThisProcess() {
            try {
                new ProcessBuilder(
                                "sh", "-c", "kill -9 " + ProcessHandle.current().pid())
                        .start();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            Stream.generate(() -> "until killed").forEach(_ -> LockSupport.park());
        }
    }
}
