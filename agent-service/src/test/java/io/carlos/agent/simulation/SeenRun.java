package io.carlos.agent.simulation;

import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Everything known of one run. */
final class SeenRun {
    final RunKeys keys;
    final RecordRef ref;
    int launches;
    int renewals;
    boolean taken;
    Instant admittedAt;
    Instant pickBy;
    Instant launchedAt;
    Instant cancelledAt;
    Instant recordGoneAt;
    ActiveRun.State state;
    ActiveRun.Outcome outcome;
    RunResult result;
    final Map<OutputChannel, ByteArrayOutputStream> written = new EnumMap<>(OutputChannel.class);
    final TreeMap<Long, byte[]> chunks = new TreeMap<>();
    final TreeMap<Long, OutputChannel> channels = new TreeMap<>();

    SeenRun(RunRequest request) {
        this.keys = request.keys();
        this.ref = request.recordRef();
    }

    boolean isOver() {
        return admittedAt == null || recordGoneAt != null || state == ActiveRun.State.DONE;
    }
}
