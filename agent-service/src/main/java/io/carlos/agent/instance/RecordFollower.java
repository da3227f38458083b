package io.carlos.agent.instance;

import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Brings the rows to what the passes say of their records. A lane may be busy for longer than a pass takes, so what is newest when its
 * turn comes is done: two passes cannot overtake each other.
 */
final class RecordFollower {
    private static final String GONE = "its record is gone from this box";

    private final InstanceTable table;

    /** What the newest pass says of hosts, until it is done: their record, or none. */
    private final Map<Host, Optional<InstanceRecord>> newest = new ConcurrentHashMap<>();

    RecordFollower(InstanceTable table) {
        this.table = table;
    }

    /** @return the hosts for which {@link #follow} is to be called */
    List<Host> see(List<InstanceRecord> owned, Set<RecordRef> undecided) {
        Map<Host, Optional<InstanceRecord>> changed = new HashMap<>();
        for (InstanceRow row : table.rows()) {
            if (row.desired() != Desired.GONE && !undecided.contains(row.record())) {
                changed.put(row.host(), Optional.empty());
            }
        }
        for (InstanceRecord record : owned) {
            boolean upToDate = table.row(record.host())
                    .filter(row -> row.isUpToDate(record))
                    .isPresent();
            if (upToDate && !newest.containsKey(record.host())) {
                changed.remove(record.host());
            } else {
                changed.put(record.host(), Optional.of(record));
            }
        }
        newest.putAll(changed);
        return List.copyOf(changed.keySet());
    }

    /** @return whether the instance is new on this box, or back, and so to be woken */
    boolean follow(Lane lane) throws IOException, InterruptedException {
        boolean isGone = Optional.empty().equals(newest.get(lane.host()));
        return isGone
                ? lane.turn().takeToStop(GONE, () -> inTurn(lane))
                : lane.turn().take(() -> inTurn(lane));
    }

    private boolean inTurn(Lane lane) throws IOException, InterruptedException {
        Optional<InstanceRecord> record = newest.remove(lane.host());
        if (record == null) {
            return false; // done by an earlier turn
        }
        if (record.isPresent()) {
            return lane.followInTurn(record.get());
        }
        lane.stopInTurn(Desired.GONE, GONE);
        return false;
    }
}
