package io.carlos.agent.simulation;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What really happened, as somebody who sees every process and the store itself would write it down, and the promises
 * checked against it the moment something happens. The first broken one is kept.
 */
final class Ledger {
    /** A cancel is forwarded by a pass, or seen at the next look at the record; then the command has its grace. */
    private static final Duration CANCEL_BOUND = Duration.ofSeconds(45);
    /** The look interval of the boxes, and some latency. */
    private static final Duration PICK_BOUND = Duration.ofSeconds(8);

    private final World world;
    private int asking;
    private final Map<RunId, SeenRun> runs = new LinkedHashMap<>();
    private final TakeOvers takeOvers = new TakeOvers();
    private final Map<String, Instant> recordReads = new HashMap<>();
    private String broken;

    Ledger(World world) {
        this.world = world;
    }

    Map<RunId, SeenRun> runs() {
        return runs;
    }

    Optional<String> broken() {
        return Optional.ofNullable(broken);
    }

    void askBegins() {
        asking++;
    }

    void askEnds() {
        asking--;
    }

    /** Whether nobody will ask for another run, and no run is open. */
    boolean allEnded() {
        return asking == 0 && runs.values().stream().allMatch(SeenRun::isOver);
    }

    /** Somebody was told that the run is queued. */
    void toldQueued(RunId id) {
        require(runs.get(id).admittedAt != null, id, "was said to be queued, and no record ever named it");
    }

    /** An agent has done what it does first, and now looks for runs. */
    void passBegins(String bootId, Remains remains) {
        remains.ofOthersThan(bootId).ifPresent(left -> {
            if (broken == null) {
                broken = bootId + ": after its boot there is still " + left;
            }
        });
    }

    /** An agent has decided to launch; frozen in the middle of it, it comes to that much later. */
    void launchBegins(RunId id) {
        SeenRun entry = runs.get(id);
        require(entry.result == null, id, "launched after its result was stored");
        require(entry.state != ActiveRun.State.DONE, id, "launched after its record said done");
        Instant looked = recordReads.getOrDefault(world.fiber(), Instant.MIN);
        require(
                entry.cancelledAt == null || !looked.isAfter(entry.cancelledAt),
                id,
                "launched though its cancel was there before the last look at its record");
        require(
                entry.recordGoneAt == null || !looked.isAfter(entry.recordGoneAt),
                id,
                "launched though its record was deleted before the last look at it");
    }

    void launched(RunId id) {
        SeenRun entry = runs.get(id);
        entry.launches++;
        entry.launchedAt = world.trueTime();
        world.trace("launched " + id);
        require(entry.launches == 1, id, "launched " + entry.launches + " times");
    }

    void commandEnded(RunId id) {
        SeenRun entry = runs.get(id);
        if (world.isQuiet() && entry.cancelledAt != null) {
            Instant from = entry.cancelledAt.isAfter(entry.launchedAt) ? entry.cancelledAt : entry.launchedAt;
            Duration took = Duration.between(from, world.trueTime());
            require(took.compareTo(CANCEL_BOUND) <= 0, id, "its command went on for " + took + " after its cancel");
        }
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

    void recordDeleted(RecordRef ref) {
        runs.values().stream()
                .filter(entry -> entry.ref.equals(ref) && entry.admittedAt != null && !entry.isOver())
                .forEach(entry -> entry.recordGoneAt = world.trueTime());
    }

    void putBegins(SimulatedProcess process, ObjectKey key, byte[] value) {
        if (key.value().startsWith(RecordRef.PREFIX)) {
            swapBegins(process, record(value).activeRun());
        }
        for (SeenRun entry : runs.values()) {
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

    private void swapBegins(SimulatedProcess process, ActiveRun run) {
        SeenRun entry = run == null ? null : runs.get(run.id());
        if (entry != null && run.state() == ActiveRun.State.PICKED && entry.state == ActiveRun.State.QUEUED) {
            boolean late = process.now().isAfter(entry.pickBy);
            require(!late, run.id(), "picked at " + process.now() + " by the picker's own clock, past " + entry.pickBy);
        }
    }

    private static InstanceRecord record(byte[] value) {
        return CarlosJson.read("record", value, InstanceRecord.class, InstanceRecord.SCHEMA);
    }

    void putDone(SimulatedProcess process, ObjectKey key, Optional<byte[]> before, byte[] value) {
        world.trace("stored " + key);
        if (key.value().endsWith("/request.json")) {
            RunRequest request = CarlosJson.read("run request", value, RunRequest.class, RunRequest.SCHEMA);
            runs.putIfAbsent(request.id(), new SeenRun(request));
        } else if (key.value().startsWith(RecordRef.PREFIX)) {
            recordChanged(process, before, value);
        } else if (key.value().startsWith("boxes/")) {
            takeOvers.stored(key, value, world.trueTime());
        } else {
            runs.values().forEach(entry -> objectStored(entry, key, value));
        }
    }

    private void objectStored(SeenRun entry, ObjectKey key, byte[] value) {
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
        InstanceRecord now = record(value);
        Instant lastRead = recordReads.get(world.fiber());
        if (broken == null && lastRead != null && world.isAgentOf(process, now.box())) {
            broken = before.flatMap(was -> takeOvers.problem(record(was), now, lastRead))
                    .orElse(null);
        }
        ActiveRun run = now.activeRun();
        if (run == null) {
            return;
        }
        SeenRun entry = runs.get(run.id());
        ActiveRun was =
                before.map(Ledger::record).map(InstanceRecord::activeRun).orElse(null);
        boolean same = was != null && was.id().equals(run.id());
        require(
                was == null || same || !was.isOpen(),
                run.id(),
                "admitted over the open run " + (was == null ? "" : was.id()));
        if (entry.admittedAt == null) {
            entry.admittedAt = world.trueTime();
            entry.pickBy = run.deadline();
        }
        if (run.state() == ActiveRun.State.PICKED && same && was.state() == ActiveRun.State.QUEUED) {
            picked(entry, run, now);
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
        require(
                run.outcome() != ActiveRun.Outcome.EXPIRED || !world.isQuiet(),
                run.id(),
                "expired, and nothing kept the boxes from it");
        entry.state = run.state();
        entry.outcome = run.outcome();
    }

    private void picked(SeenRun entry, ActiveRun run, InstanceRecord record) {
        RunId id = run.id();
        require(run.box().equals(record.box()), id, "picked by " + run.box() + " on a record of " + record.box());
        require(
                world.regionOf(run.box()).equals(record.region()),
                id,
                "picked by " + run.box() + " of another region than " + record.region());
        Duration waited = Duration.between(entry.admittedAt, world.trueTime());
        require(!world.isQuiet() || waited.compareTo(PICK_BOUND) <= 0, id, "was picked only after " + waited);
    }

    /** What must hold when all is over. */
    void checkEnds() {
        for (SeenRun entry : runs.values()) {
            if (entry.admittedAt == null) {
                continue;
            }
            if (entry.recordGoneAt != null) {
                checkOutput(entry, entry.result);
                continue;
            }
            RunId id = entry.keys.id();
            require(entry.state == ActiveRun.State.DONE, id, "was never ended: " + entry.state);
            boolean overWhileQueued = entry.outcome != ActiveRun.Outcome.FINISHED;
            require(entry.result != null || overWhileQueued, id, "has no result");
            require(!overWhileQueued || entry.launches == 0, id, "was launched though it was over while queued");
            checkOutput(entry, entry.result);
        }
    }

    private void checkOutput(SeenRun entry, RunResult result) {
        if (result == null) {
            return;
        }
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
