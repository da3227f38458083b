package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.store.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that are let loose, because the model checker refuses file operations. */
public class ShardLocksLincheckTest {
    private static final ObjectKey KEY = ObjectKey.of("key");

    @TempDir
    static Path root;

    private static Directory directory;

    /** Of all instances: there is one for each invocation, and nothing would close its files. */
    private static ShardLocks locks;

    /** Neither volatile nor atomic: the lock is what makes it count right. */
    private int count;

    @BeforeAll
    static void open() throws IOException {
        directory = Directory.open(root);
        locks = new ShardLocks(directory, Duration.ofSeconds(30));
    }

    @AfterAll
    static void close() throws IOException {
        locks.close();
        directory.close();
    }

    @Test
    void whatIsDoneUnderAShardHappensInSomeOrder() {
        new StressOptions()
                .iterations(2)
                .invocationsPerIteration(400)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(ShardLocksLincheckTest.class);
    }

    @Operation
    public int increment() throws IOException {
        ShardLocks.Held held = locks.hold(KEY);
        try {
            return ++count;
        } finally {
            held.close();
        }
    }
}
