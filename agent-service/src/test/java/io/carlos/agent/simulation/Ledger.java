package io.carlos.agent.simulation;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What really happened, as somebody who sees every process and the store itself would write it down, and the promises
 * checked against it the moment something happens. The first broken one is kept.
 */
final class Ledger {
    private final World world;
    private final Map<RunId, Entry> runs = new LinkedHashMap<>();
    private final Map<String, Instant> recordReads = new HashMap<>();
    private String broken;

    Ledger(World world) {
        this.world = world;
    }

    /** Everything known of one run. */
    static final class Entry {
        final RunKeys keys;
        final RecordRef ref;
        boolean admitted;
        int launches;
        int renewals;
        boolean taken;
        Instant cancelledAt;
        ActiveRun.State state;
        ActiveRun.Outcome outcome;
        RunResult result;
        final Map<OutputChannel, ByteArrayOutputStream> written = new EnumMap<>(OutputChannel.class);
        final TreeMap<Long, byte[]> chunks = new TreeMap<>();
        final TreeMap<Long, OutputChannel> channels = new TreeMap<>();

        Entry(RunRequest request) {
            this.keys = request.keys();
            this.ref = request.recordRef();
        }
    }

    Map<RunId, Entry> runs() {
        return runs;
    }

    Optional<String> broken() {
        return Optional.ofNullable(broken);
    }

    void launched(RunId id) {
        Entry entry = runs.get(id);
        entry.launches++;
        world.trace("launched " + id);
        require(entry.launches == 1, id, "launched " + entry.launches + " times");
        require(entry.result == null, id, "launched after its result was stored");
        require(entry.state != ActiveRun.State.DONE, id, "launched after its record said done");
        Instant looked = recordReads.getOrDefault(world.fiber(), Instant.MIN);
        require(
                entry.cancelledAt == null || !looked.isAfter(entry.cancelledAt),
                id,
                "launched though its cancel was there before the last look at its record");
    }

    /** Somebody was told that the run is queued. */
    void toldQueued(RunId id) {
        require(runs.get(id).admitted, id, "was said to be queued, and no record ever named it");
    }

    void written(RunId id, OutputChannel channel, byte[] bytes) {
        runs.get(id)
                .written
                .computeIfAbsent(channel, c -> new ByteArrayOutputStream())
                .writeBytes(bytes);
    }

    /** An execution has a fiber of its own, and its last read of a record before the launch is the one that decides. */
    void readBegins(ObjectKey key) {
        if (key.value().startsWith(RecordRef.PREFIX)) {
            recordReads.put(world.fiber(), world.trueTime());
        }
    }

    void putBegins(SimulatedProcess process, ObjectKey key) {
        for (Entry entry : runs.values()) {
            boolean chunk = entry.keys.parseChunk(key).isPresent();
            require(
                    !chunk || entry.result == null,
                    entry.keys.id(),
                    "a live process writes " + key + " after the result");
            require(
                    !chunk || !entry.taken,
                    entry.keys.id(),
                    "a live process writes " + key + " after a closer took it");
        }
    }

    void putDone(SimulatedProcess process, ObjectKey key, Optional<byte[]> before, byte[] value) {
        world.trace("stored " + key);
        if (key.value().endsWith("/request.json")) {
            RunRequest request = CarlosJson.read("run request", value, RunRequest.class, RunRequest.SCHEMA);
            runs.putIfAbsent(request.id(), new Entry(request));
        } else if (key.value().startsWith(RecordRef.PREFIX)) {
            recordChanged(process, before, value);
        } else {
            runs.values().forEach(entry -> objectStored(entry, key, value));
        }
    }

    private void objectStored(Entry entry, ObjectKey key, byte[] value) {
        RunId id = entry.keys.id();
        if (key.equals(entry.keys.result())) {
            require(entry.result == null, id, "a second result");
            entry.result = CarlosJson.read("run result", value, RunResult.class, RunResult.SCHEMA);
            for (long seq = 1; seq <= entry.result.lastSeq(); seq++) {
                require(entry.chunks.containsKey(seq), id, "a result before its chunk " + seq);
            }
        }
        entry.keys.parseChunk(key).ifPresent(chunk -> {
            require(!entry.chunks.containsKey(chunk.seq()), id, "chunk " + chunk.seq() + " was written twice");
            require(
                    entry.result == null || chunk.seq() > entry.result.lastSeq(),
                    id,
                    "chunk " + chunk.seq() + " came after the result that names it");
            entry.chunks.put(chunk.seq(), value);
            entry.channels.put(chunk.seq(), chunk.channel());
        });
    }

    private void recordChanged(SimulatedProcess process, Optional<byte[]> before, byte[] value) {
        InstanceRecord now = CarlosJson.read("record", value, InstanceRecord.class, InstanceRecord.SCHEMA);
        ActiveRun run = now.activeRun();
        if (run == null) {
            return;
        }
        Entry entry = runs.get(run.id());
        ActiveRun was = before.map(b -> CarlosJson.read("record", b, InstanceRecord.class, InstanceRecord.SCHEMA))
                .map(InstanceRecord::activeRun)
                .orElse(null);
        boolean same = was != null && was.id().equals(run.id());
        require(
                was == null || same || !was.isOpen(),
                run.id(),
                "admitted over the open run " + (was == null ? "" : was.id()));
        entry.admitted = true;
        if (run.state() == ActiveRun.State.PICKED && same && was.state() == ActiveRun.State.QUEUED) {
            // The swap was decided at most a client time-out before; clocks differ by the skew on top.
            Instant decided = world.trueTime().minus(World.MAX_SKEW).minusSeconds(30);
            require(!decided.isAfter(was.deadline()), run.id(), "picked past its deadline");
        }
        if (same && was.isHeld()) {
            entry.taken |= !was.attempt().equals(run.attempt());
            entry.renewals += was.deadline().equals(run.deadline()) ? 0 : 1;
        }
        if (run.state() == ActiveRun.State.CANCEL && entry.cancelledAt == null) {
            entry.cancelledAt = world.trueTime();
        }
        if (run.state() == ActiveRun.State.DONE && run.outcome() == ActiveRun.Outcome.FINISHED) {
            require(entry.result != null, run.id(), "its record says done before its result is stored");
        }
        entry.state = run.state();
        entry.outcome = run.outcome();
    }

    /** What must hold when all is over. */
    void checkEnds() {
        for (Entry entry : runs.values()) {
            if (!entry.admitted) {
                continue;
            }
            RunId id = entry.keys.id();
            require(entry.state == ActiveRun.State.DONE, id, "was never ended: " + entry.state);
            boolean overWhileQueued = entry.outcome != ActiveRun.Outcome.FINISHED;
            require(entry.result != null || overWhileQueued, id, "has no result");
            require(!overWhileQueued || entry.launches == 0, id, "was launched though it was over while queued");
            if (entry.result != null) {
                checkOutput(entry, entry.result);
            }
        }
    }

    private void checkOutput(Entry entry, RunResult result) {
        for (OutputChannel channel : OutputChannel.values()) {
            byte[] written = entry.written
                    .getOrDefault(channel, new ByteArrayOutputStream())
                    .toByteArray();
            ByteArrayOutputStream stored = new ByteArrayOutputStream();
            entry.chunks.headMap(result.lastSeq(), true).forEach((seq, bytes) -> {
                if (entry.channels.get(seq) == channel) {
                    stored.writeBytes(bytes);
                }
            });
            byte[] kept = stored.toByteArray();
            boolean mayBeCut = result.truncated() || !result.interrupted().isEmpty();
            boolean right = mayBeCut
                    ? kept.length <= written.length && Arrays.equals(kept, Arrays.copyOf(written, kept.length))
                    : Arrays.equals(kept, written);
            require(right, entry.keys.id(), channel + " has " + kept.length + " bytes stored of " + written.length);
        }
    }

    private void require(boolean holds, RunId id, String what) {
        if (!holds && broken == null) {
            broken = id + ": " + what;
        }
    }
}
