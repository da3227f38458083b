package io.carlos.store.directory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something that waits for the disk. */
@FunctionalInterface
interface DiskCall<T extends @Nullable Object> {
    T call() throws IOException;
}
