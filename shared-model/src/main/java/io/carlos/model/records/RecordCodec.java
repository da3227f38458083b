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
        // Compared by its parts: a host too long for a key makes no reference.
        boolean sameName = record.account().equals(ref.account())
                && record.app().equals(ref.app())
                && record.host().equals(ref.host());
        if (!sameName) {
            throw new UnreadableRecordException(
                    ref,
                    "it says that it is the record of " + record.account() + "/" + record.app() + "/" + record.host());
        }
        return record;
    }
}
