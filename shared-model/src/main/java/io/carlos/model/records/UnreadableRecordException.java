package io.carlos.model.records;

import io.carlos.model.json.InvalidDocumentException;

/** What is stored under a record's key is no record that this version of Carlos can work with. */
public final class UnreadableRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableRecordException(RecordRef ref, InvalidDocumentException cause) {
        super("record " + ref + " cannot be read: " + cause.getMessage(), cause);
    }

    UnreadableRecordException(RecordRef ref, String reason) {
        super("record " + ref + " cannot be read: " + reason);
    }
}
