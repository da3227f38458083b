package io.carlos.store;

import java.time.Instant;

/**
 * A value as it was read. The array is the caller's own.
 *
 * @param etag what {@link Precondition.IfMatch} compares with; equal values may have equal etags
 */
public record StoredObject(ObjectKey key, byte[] value, String etag, Instant lastModified) {}
