package io.carlos.store;

/** What {@link ObjectStore#getUnlessMatch} found. */
public sealed interface ConditionalRead {
    /** The value still has the etag that was asked about. */
    record Unchanged() implements ConditionalRead {}

    record Changed(StoredObject object) implements ConditionalRead {}

    record Absent() implements ConditionalRead {}
}
