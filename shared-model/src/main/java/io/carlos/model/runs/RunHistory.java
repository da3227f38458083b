package io.carlos.model.runs;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.RunKeys.ChunkName;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is stored about one run, as far as it has come.
 *
 * @param run its place in the record; null when the record is gone or names a later run
 * @param result null until there is one
 */
public record RunHistory(
        RunRequest request,
        @Nullable ActiveRun run,
        @Nullable RunResult result,
        StoredOutput output) {

    /**
     * The chunks that are stored.
     *
     * @param bytes of both streams together
     * @param first when the first of them was stored; null when there is none
     * @param last when the last of them was stored; null when there is none
     */
    public record StoredOutput(
            long chunks,
            long stdoutBytes,
            long stderrBytes,
            @Nullable Instant first,
            @Nullable Instant last) {
        public long bytes() {
            return stdoutBytes + stderrBytes;
        }
    }

    /** Reads it, or nothing when there is no such run. */
    public static Optional<RunHistory> read(ObjectStore store, RecordStore records, RunKeys keys) {
        Optional<RunRequest> request = store.get(keys.request())
                .map(object -> CarlosJson.read("run request", object.value(), RunRequest.class, RunRequest.SCHEMA));
        return request.map(found -> read(store, records, found));
    }

    private static RunHistory read(ObjectStore store, RecordStore records, RunRequest request) {
        RunKeys keys = request.keys();
        // The result first: once it is there, so is all of the output that it names.
        RunResult result = result(store, keys);
        ActiveRun run = records.read(request.recordRef())
                .map(StoredRecord::record)
                .flatMap(InstanceRecord::run)
                .filter(active -> active.id().equals(request.id()))
                .orElse(null);
        if (result == null && (run == null || !run.isOpen())) {
            result = result(store, keys); // it ended between the two looks
        }
        return new RunHistory(request, run, result, output(store, keys, result));
    }

    private static @Nullable RunResult result(ObjectStore store, RunKeys keys) {
        return store.get(keys.result())
                .map(object -> CarlosJson.read("run result", object.value(), RunResult.class, RunResult.SCHEMA))
                .orElse(null);
    }

    private static StoredOutput output(ObjectStore store, RunKeys keys, @Nullable RunResult result) {
        long lastSeq = result == null ? Long.MAX_VALUE : result.lastSeq();
        long chunks = 0;
        long[] bytes = new long[OutputChannel.values().length];
        Instant first = null;
        Instant last = null;
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(keys.chunkPrefix(), after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject object : page) {
                after = object.key().value();
                Optional<ChunkName> chunk = keys.parseChunk(object.key()).filter(name -> name.seq() <= lastSeq);
                if (chunk.isPresent()) {
                    chunks++;
                    bytes[chunk.get().channel().ordinal()] += object.size();
                    first = first == null ? object.lastModified() : first;
                    last = object.lastModified();
                }
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        return new StoredOutput(
                chunks, bytes[OutputChannel.STDOUT.ordinal()], bytes[OutputChannel.STDERR.ordinal()], first, last);
    }
}
