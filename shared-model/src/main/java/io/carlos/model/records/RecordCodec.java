package io.carlos.model.records;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.UnsupportedSchemaException;
import tools.jackson.core.JacksonException;

/** Records as JSON. */
final class RecordCodec {
    private RecordCodec() {}

    static InstanceRecord decode(RecordRef ref, byte[] json) {
        InstanceRecord record;
        try {
            record = CarlosJson.read(json, InstanceRecord.class, InstanceRecord.SCHEMA);
        } catch (JacksonException e) {
            throw new UnreadableRecordException(ref, "it is malformed", e);
        } catch (UnsupportedSchemaException e) {
            throw new UnreadableRecordException(ref, "its schema is unknown", e);
        }
        if (!record.ref().equals(ref)) {
            throw new UnreadableRecordException(ref, "it says that it is the record of " + record.ref());
        }
        return record;
    }
}
