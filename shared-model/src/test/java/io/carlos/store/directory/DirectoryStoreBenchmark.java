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
 * Create-only puts of 256 KiB against what they cannot do without. Both take turns, so that what else the disk has to do
 * meets both alike; the ratio is that of the medians. Run it with the directory to work in as the argument; the default
 * is the temporary directory.
 */
public final class DirectoryStoreBenchmark {
    private static final int VALUE_LENGTH = 256 * 1024;
    private static final int ROUNDS = 40;
    private static final int PUTS_PER_ROUND = 25;

    private final Path work;
    private final byte[] value = new byte[VALUE_LENGTH];
    private int round;

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

    /** One way to write a value for good. */
    @FunctionalInterface
    private interface Way {
        void write(int number) throws Exception;
    }

    private void run() throws Exception {
        try (Directory directory = Directory.open(work);
                Directory bare = directory.createDirectories("bare", 0700);
                DirectoryObjectStore store = DirectoryObjectStore.open(work.resolve("store"))) {
            Way put = number -> store.put(ObjectKey.of("puts/" + number), value, Precondition.CREATE_ONLY);
            Way bareLoop = number -> writeBare(bare, number, false);
            Way bareLoopWithDirectory = number -> writeBare(bare, number, true);
            List<Way> ways = List.of(put, bareLoop, bareLoopWithDirectory);
            turns(ways);
            List<Double> medians = turns(ways);
            System.out.printf("create-only put of 256 KiB          %8.1f us%n", medians.get(0));
            System.out.printf(
                    "bare write+fsync+link               %8.1f us, ratio %.2f%n",
                    medians.get(1), medians.get(1) / medians.get(0));
            System.out.printf(
                    "bare write+fsync+link+fsync of dir  %8.1f us, ratio %.2f%n",
                    medians.get(2), medians.get(2) / medians.get(0));
        }
    }

    /** The median time of one write in microseconds, for each way. */
    private List<Double> turns(List<Way> ways) throws Exception {
        List<List<Double>> times =
                ways.stream().map(_ -> (List<Double>) new ArrayList<Double>()).toList();
        for (int turn = 0; turn < ROUNDS; turn++) {
            for (int way = 0; way < ways.size(); way++) {
                times.get(way).add(microseconds(ways.get(way)));
            }
        }
        return times.stream().map(DirectoryStoreBenchmark::median).toList();
    }

    private double microseconds(Way way) throws Exception {
        int first = PUTS_PER_ROUND * round++;
        long start = System.nanoTime();
        for (int i = 0; i < PUTS_PER_ROUND; i++) {
            way.write(first + i);
        }
        return (System.nanoTime() - start) / 1_000.0 / PUTS_PER_ROUND;
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

    private static double median(List<Double> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
