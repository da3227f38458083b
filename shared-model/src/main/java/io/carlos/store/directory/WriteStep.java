package io.carlos.store.directory;

/** The points between which a write can be cut short, in the order in which a write passes them. */
enum WriteStep {
    TEMP_CREATED,
    /** Passed again and again while a long value is written. */
    TEMP_PIECE_WRITTEN,
    TEMP_SYNCED,
    LOCKED,
    COMPARED,
    DIRECTORY_CREATED,
    /** The new value is what readers see. */
    PLACED,
    /** The value is gone for readers. */
    REMOVED,
    TOLD,
    DIRECTORY_SYNCED,
    PRUNED
}
