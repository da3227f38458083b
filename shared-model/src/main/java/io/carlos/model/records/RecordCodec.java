package io.carlos.model.records;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;

/** Records as JSON. */
final class RecordCodec {
    private RecordCodec() {}

    static InstanceRecord decode(RecordRef ref, byte[] json) {
        InstanceRecord record;
        try {
            record = CarlosJson.read("record", json, InstanceRecord.class, InstanceRecord.SCHEMA);
        } catch (InvalidDocumentException e) {
            throw new UnreadableRecordException(ref, e);
        }
        if (!record.ref().equals(ref)) {
            throw new UnreadableRecordException(ref, "it says that it is the record of " + record.ref());
        }
        return record;
    }
}
