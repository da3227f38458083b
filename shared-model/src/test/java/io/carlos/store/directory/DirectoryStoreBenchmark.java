package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Create-only puts of 256 KiB against what they cannot do without. Write by write they take turns, so that what else the
 * disk has to do meets all alike. The ratios are those of the medians and those of the fastest tenth, which tells what a
 * disk without other work would show. Run it with the directory to work in as the argument; the default is the temporary
 * directory.
 */
public final class DirectoryStoreBenchmark {
    private static final int VALUE_LENGTH = 256 * 1024;
    private static final int WARM_UP = 300;
    private static final int WRITES = 1_000;

    private final Path work;
    private final byte[] value = new byte[VALUE_LENGTH];
    private int number;

    private DirectoryStoreBenchmark(Path work) {
        this.work = work;
        new Random(1).nextBytes(value);
    }

    public static void main(String[] arguments) throws Exception {
        Path parent = Path.of(arguments.length > 0 ? arguments[0] : System.getProperty("java.io.tmpdir"));
        Path work = Files.createTempDirectory(parent, "carlos-store-benchmark");
        try {
            new DirectoryStoreBenchmark(work).run();
        } finally {
            remove(work);
        }
    }

    /** Writes the value for good, under a name with this number. */
    @FunctionalInterface
    private interface Write {
        void accept(int number) throws Exception;
    }

    private record Way(String name, Write write) {}

    private void run() throws Exception {
        try (Directory directory = Directory.open(work);
                Directory bare = directory.createDirectories("bare", 0700);
                DirectoryObjectStore store = DirectoryObjectStore.open(work.resolve("store"))) {
            List<Way> ways = List.of(
                    new Way(
                            "create-only put",
                            i -> store.put(ObjectKey.of("puts/" + i), value, Precondition.CREATE_ONLY)),
                    new Way("write+fsync+link", i -> writeBare(bare, i, false)),
                    new Way("write+fsync+link+fsync of directory", i -> writeBare(bare, i, true)));
            takeTurns(ways, WARM_UP);
            List<List<Double>> times = takeTurns(ways, WRITES);
            System.out.printf("%-40s %12s %7s %12s %7s%n", "256 KiB", "median", "ratio", "fastest 10%", "ratio");
            for (int way = 0; way < ways.size(); way++) {
                print(ways.get(way).name, times.get(way), times.getFirst());
            }
        }
    }

    private static void print(String name, List<Double> times, List<Double> puts) {
        System.out.printf(
                "%-40s %9.0f us %7.2f %9.0f us %7.2f%n",
                name,
                quantile(times, 0.5),
                quantile(times, 0.5) / quantile(puts, 0.5),
                quantile(times, 0.1),
                quantile(times, 0.1) / quantile(puts, 0.1));
    }

    /** The time of each write in microseconds, for each way. */
    private List<List<Double>> takeTurns(List<Way> ways, int writes) throws Exception {
        List<List<Double>> times = new ArrayList<>();
        ways.forEach(_ -> times.add(new ArrayList<>()));
        for (int turn = 0; turn < writes; turn++) {
            for (int way = 0; way < ways.size(); way++) {
                long start = System.nanoTime();
                ways.get(way).write.accept(number++);
                times.get(way).add((System.nanoTime() - start) / 1_000.0);
            }
        }
        return times;
    }

    private void writeBare(Directory directory, int number, boolean syncDirectory) throws IOException {
        try (LinuxFile file = directory.createFile("temporary", 0600)) {
            file.write(value);
            file.sync();
        }
        directory.link("temporary", directory, "bare-" + number);
        directory.unlink("temporary");
        if (syncDirectory) {
            directory.sync();
        }
    }

    private static double quantile(List<Double> times, double part) {
        return times.stream().sorted().toList().get((int) (times.size() * part));
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
