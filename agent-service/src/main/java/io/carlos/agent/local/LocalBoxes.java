package io.carlos.agent.local;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The boxes of one machine's directory store: {@code local}, {@code local-2} and so on, each a directory beside the
 * store's own with a lock that its agent holds while it lives. The kernel drops the lock with the process, so a box whose
 * lock is free has no agent, however that ended.
 */
public final class LocalBoxes {
    /** The region of every local box and record. */
    public static final String REGION = "local";

    private static final String FIRST = "local";
    private static final Pattern NAME = Pattern.compile(FIRST + "(-[1-9][0-9]{0,8})?");
    private static final int MOST = 64;
    private static final String LOCK = "agent.lock";

    private final Path directory;

    /** @param store the root of the directory store */
    public LocalBoxes(Path store) {
        this.directory = store.resolve("boxes");
    }

    /** Whether a store has such boxes, and so makes instances for whoever asks. */
    public static boolean areAt(Path store) {
        return Files.isDirectory(store.resolve("boxes"));
    }

    /** A box of which this process is the agent until it closes it. */
    public static final class LocalBox implements AutoCloseable {
        private final String name;
        private final Path directory;
        private final LinuxFile lock;

        private LocalBox(String name, Path directory, LinuxFile lock) {
            this.name = name;
            this.directory = directory;
            this.lock = lock;
        }

        public String name() {
            return name;
        }

        /** Where the box keeps its instances' data. */
        public Path dataDirectory() {
            return directory.resolve("data");
        }

        @Override
        public void close() throws IOException {
            lock.close();
        }
    }

    /**
     * Takes the first box that has no agent.
     *
     * @throws IOException the directory cannot be used, or {@value #MOST} agents are at work
     */
    public LocalBox takeFree() throws IOException {
        for (int number = 1; number <= MOST; number++) {
            Optional<LocalBox> box = tryTake(number == 1 ? FIRST : FIRST + "-" + number);
            if (box.isPresent()) {
                return box.get();
            }
        }
        throw new IOException(directory + ": " + MOST + " agents are at work already; wait for one to end");
    }

    /** What is done about a box whose agent is gone. */
    @FunctionalInterface
    public interface Recovery {
        void of(LocalBox dead) throws IOException, InterruptedException;
    }

    /**
     * Does something about every box that was used before and has no agent now. Only the one in hand is held: others
     * that start meanwhile would take the rest for boxes at work, and make themselves new ones.
     */
    public void forEachDead(Recovery recovery) throws IOException, InterruptedException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<String> names;
        try (Stream<Path> boxes = Files.list(directory)) {
            names = boxes.map(box -> box.getFileName().toString())
                    .filter(LocalBoxes::isName)
                    .sorted()
                    .toList();
        }
        for (String name : names) {
            Optional<LocalBox> dead = tryTake(name);
            if (dead.isPresent()) {
                try (LocalBox held = dead.get()) {
                    recovery.of(held);
                }
            }
        }
    }

    /** Whether the box has an agent now. */
    public boolean isAlive(String name) throws IOException {
        // The name is a record's, which may say anything: a path in it must not lead out of the boxes.
        if (!isName(name) || !Files.isDirectory(directory.resolve(name))) {
            return false;
        }
        Optional<LocalBox> box = tryTake(name);
        if (box.isPresent()) {
            box.get().close();
        }
        return box.isEmpty();
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private Optional<LocalBox> tryTake(String name) throws IOException {
        Path box = directory.resolve(name);
        Files.createDirectories(box.resolve("data").resolve("instances"));
        try (Directory opened = Directory.open(box)) {
            LinuxFile lock = opened.openOrCreateFile(LOCK, 0600);
            if (lock.tryLock()) {
                return Optional.of(new LocalBox(name, box, lock));
            }
            lock.close();
            return Optional.empty();
        }
    }
}
