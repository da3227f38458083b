package io.carlos.model.records;

/** A record changed under every attempt of a writer; nothing of it was written. Trying again later makes sense. */
public final class RecordContendedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RecordContendedException(RecordRef ref, int attempts) {
        super("record " + ref + ": other writers were first in " + attempts + " attempts");
    }
}
