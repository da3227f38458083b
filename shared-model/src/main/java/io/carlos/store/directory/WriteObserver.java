package io.carlos.store.directory;

/** Sees a write pass its steps, on the thread that makes it: how tests cut one short at a chosen point. */
@FunctionalInterface
interface WriteObserver {
    WriteObserver NONE = step -> {};

    void passed(WriteStep step);
}
