package io.carlos.agent.instance;

import io.carlos.agent.logs.InstanceLogs;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the rows to what the passes say of their records. A lane may be busy for longer than a pass takes, so what is newest when its
 * turn comes is done: two passes cannot overtake each other.
 */
final class RecordFollower {
    private static final String GONE = "its record is gone from this box";

    private static final String REPLACED = "its host is another incarnation's now";

    private static final Logger log = LoggerFactory.getLogger(RecordFollower.class);

    private final InstanceTable table;
    private final InstanceDirectories directories;
    private final InstanceLogs logs;
    private final Scheduler scheduler;

    /** What the newest pass says of hosts, until it is done: their record, or none. */
    private final Map<Host, Optional<InstanceRecord>> newest = new ConcurrentHashMap<>();

    /** Why hosts without a row have none. */
    private final Map<Host, String> refused = new ConcurrentHashMap<>();

    RecordFollower(InstanceTable table, InstanceDirectories directories, InstanceLogs logs, Scheduler scheduler) {
        this.table = table;
        this.directories = directories;
        this.logs = logs;
        this.scheduler = scheduler;
    }

    /** @return the hosts for which {@link #follow} is to be called: not those for which it was, and is to come yet */
    List<Host> see(List<InstanceRecord> owned, Set<RecordRef> undecided) {
        Map<Host, Optional<InstanceRecord>> changed = changed(owned, undecided);
        // What an earlier pass said of a host that this one does not give the box must not be done any more.
        newest.entrySet()
                .removeIf(said -> !changed.containsKey(said.getKey())
                        && said.getValue()
                                .filter(record -> undecided.contains(record.ref()))
                                .isEmpty());
        List<Host> hosts = new ArrayList<>();
        changed.forEach((host, record) -> {
            Optional<InstanceRecord> before = newest.put(host, record);
            // A follow that waits for its turn does the newest; but one that began with a record does not make a start
            // give up.
            if (before == null || before.isPresent() && record.isEmpty()) {
                hosts.add(host);
            }
        });
        return hosts;
    }

    private Map<Host, Optional<InstanceRecord>> changed(List<InstanceRecord> owned, Set<RecordRef> undecided) {
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
        return changed;
    }

    /** @return whether the instance is new on this box, or back, and so to be woken */
    boolean follow(Lane lane) throws IOException, InterruptedException {
        boolean isGone = Optional.empty().equals(newest.get(lane.host()));
        return isGone
                ? lane.turn().takeToStop(GONE, () -> inTurn(lane))
                : lane.turn().take(() -> inTurn(lane));
    }

    private boolean inTurn(Lane lane) throws IOException, InterruptedException {
        boolean isNew = false;
        Optional<InstanceRecord> said = newest.get(lane.host());
        // Until nothing newer has come meanwhile, for which nobody else was called.
        while (said != null) {
            try {
                isNew |= follow(lane, said);
            } catch (IOException | InterruptedException | RuntimeException e) {
                newest.remove(lane.host()); // the next pass says it again
                throw e;
            }
            newest.remove(lane.host(), said);
            said = newest.get(lane.host());
        }
        return isNew;
    }

    private boolean follow(Lane lane, Optional<InstanceRecord> said) throws IOException, InterruptedException {
        if (said.isPresent()) {
            return follow(lane, said.get());
        }
        lane.stopInTurn(Desired.GONE, GONE);
        return false;
    }

    private boolean follow(Lane lane, InstanceRecord record) throws IOException, InterruptedException {
        HostRow row = lane.row();
        InstanceRow before = row.any().orElse(null);
        switch (decide(row, before, record)) {
            case RowDecision.Keep() -> {}
            case RowDecision.Create(InstanceRow created) -> {
                if (before != null && !before.incarnation().equals(created.incarnation())) {
                    lane.stopUnits(REPLACED);
                    logs.forget(lane.host()); // nothing that the first has printed is for the other
                }
                row.put(created);
                refused.remove(lane.host());
                return true;
            }
            case RowDecision.Update(InstanceRow updated) -> update(lane, row.current(), updated);
            case RowDecision.Refuse(String reason) -> refuse(lane, reason);
        }
        return false;
    }

    private RowDecision decide(HostRow row, @Nullable InstanceRow before, InstanceRecord record) throws IOException {
        boolean hasData = directories.hasData(InstanceId.of(record.host()));
        if (before != null) {
            Optional<OwnerNote> owner = hasData && before.desired() == Desired.GONE ? row.owner() : Optional.empty();
            return RowDecision.decide(before, record, hasData, owner, scheduler.now());
        }
        return hasData
                ? RowDecision.decideWithoutRow(row.owner(), row.lost(), record, scheduler.now())
                : new RowDecision.Create(InstanceRow.created(record, scheduler.now()));
    }

    private static void update(Lane lane, InstanceRow before, InstanceRow updated)
            throws IOException, InterruptedException {
        if (before.isolation() == Isolation.UNIT && updated.isolation() != Isolation.UNIT) {
            String reason = "its isolation is " + updated.isolation() + " now";
            lane.row().note(updated);
            lane.stopUnits(reason);
            lane.row().settle(InstanceState.STOPPED, reason);
        } else {
            lane.row().put(updated);
        }
    }

    private void refuse(Lane lane, String reason) throws IOException, InterruptedException {
        if (!reason.equals(refused.put(lane.host(), reason))) {
            log.error("instance: refused: host={} cause={}", lane.host(), reason);
        }
        HostRow row = lane.row();
        if (row.find().isPresent()) {
            row.note(row.current().withDesired(Desired.GONE));
            lane.stopUnits(reason);
            row.settle(InstanceState.FAILED, reason);
        } else if (row.any().isPresent()) {
            row.at(InstanceState.FAILED, reason);
        }
    }
}
