package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import java.io.IOException;
import java.nio.file.Path;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that are let loose, because the model checker refuses file operations. */
@Param(name = "parent", gen = IntGen.class, conf = "0:1")
public class OpenDirectoriesLincheckTest {
    @TempDir
    static Path root;

    private static Directory objects;
    private static DiskThreads disk;

    /** Of all instances: there is one for each invocation, and nothing would close its files. */
    private static OpenDirectories directories;

    @BeforeAll
    static void open() throws IOException {
        objects = Directory.open(root);
        disk = new DiskThreads(synced -> {});
        directories = new OpenDirectories(objects, disk, WriteObserver.NONE);
    }

    @AfterAll
    static void close() throws IOException {
        directories.close();
        disk.close();
        objects.close();
    }

    @Test
    void everyUseFindsItsDirectoryHoweverOftenItIsPruned() {
        new StressOptions()
                .iterations(2)
                .invocationsPerIteration(150)
                .threads(2)
                .actorsPerThread(4)
                .actorsBefore(0)
                .actorsAfter(0)
                .sequentialSpecification(AlwaysThere.class)
                .check(OpenDirectoriesLincheckTest.class);
    }

    @Operation
    public String use(@Param(name = "parent") int parent) throws IOException {
        String name = Thread.currentThread().threadId() + ".tmp";
        return directories.use("p" + parent + "/child", directory -> {
            directory.createFile(name, 0600).close();
            directory.unlink(name);
            return "used";
        });
    }

    @Operation
    public void prune(@Param(name = "parent") int parent) {
        directories.prune("p" + parent + "/child");
    }

    /** The promise: a use never fails for what others remove. */
    public static final class AlwaysThere {
        public String use(int parent) {
            return "used";
        }

        public void prune(int parent) {}
    }
}
