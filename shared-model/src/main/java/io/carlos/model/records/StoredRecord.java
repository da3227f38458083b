package io.carlos.model.records;

/** A record as it was read, and the etag to swap it by. */
public record StoredRecord(InstanceRecord record, String etag) {}
