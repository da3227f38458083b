package io.carlos.store;

import java.time.Instant;

/** A row of a listing; the etag is the one that a read of the same value gives. */
public record ListedObject(ObjectKey key, String etag, long size, Instant lastModified) {}
