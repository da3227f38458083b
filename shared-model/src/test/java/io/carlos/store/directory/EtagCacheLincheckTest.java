package io.carlos.store.directory;

import io.carlos.model.linux.FileStatus;
import io.carlos.model.linux.FileType;
import java.time.Duration;
import java.time.Instant;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Every interleaving of looking up and remembering gives the answers of some order of the calls. */
@Param(name = "inode", gen = IntGen.class, conf = "1:2")
@Param(name = "age", gen = IntGen.class, conf = "1:2")
public class EtagCacheLincheckTest {
    private static final Instant CHANGED = Instant.parse("2026-01-02T03:04:05Z");

    private final EtagCache cache = new EtagCache(Duration.ZERO);

    @Operation
    public String find(@Param(name = "inode") int inode, @Param(name = "age") int age) {
        return cache.find(status(inode, age)).orElse("none");
    }

    @Operation
    public void remember(@Param(name = "inode") int inode, @Param(name = "age") int age) {
        cache.remember(status(inode, age), CHANGED.plusSeconds(100), inode + "@" + age);
    }

    @Test
    void findsWhatSomeOrderOfTheCallsRemembered() {
        new ModelCheckingOptions()
                .iterations(60)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(EtagCacheLincheckTest.class);
    }

    private static FileStatus status(long inode, int age) {
        Instant changed = CHANGED.plusSeconds(age);
        return new FileStatus(FileType.REGULAR, 0600, 0, 0, 1, 10, inode, 1, 1, false, changed, changed);
    }
}
