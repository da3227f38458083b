package io.carlos.agent.instance;

import io.carlos.model.names.Host;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The row of one host, as its lane changes it. */
final class HostRow {
    private final Host host;
    private final InstanceTable table;
    private final Scheduler scheduler;

    HostRow(Host host, InstanceTable table, Scheduler scheduler) {
        this.host = host;
        this.table = table;
        this.scheduler = scheduler;
    }

    /** The row, also one whose instance is gone from this box. */
    Optional<InstanceRow> any() {
        return table.row(host);
    }

    /** Empty when the instance is not this box's, or not any more. */
    Optional<InstanceRow> find() {
        return any().filter(row -> row.desired() != Desired.GONE);
    }

    InstanceRow current() {
        return any().orElseThrow(() -> new IllegalStateException("instances: " + host + ": it has no row"));
    }

    boolean isAt(InstanceState state) {
        return any().filter(row -> row.state() == state).isPresent();
    }

    /** Once it returns, the row is durable. */
    InstanceRow put(InstanceRow row) throws IOException {
        table.put(row);
        return row;
    }

    /** Whose the host's data is by the note beside it, for a host without a row, or whose row is gone; empty when that does not say. */
    Optional<OwnerNote> owner() throws IOException {
        return table.owner(host);
    }

    /** The file of a row that cannot be read. */
    Optional<Path> lost() {
        return table.lostRow(host);
    }

    /** Notes a state that the row has not been in. Once it returns, that and all that was noted before is durable; it holds in any case. */
    InstanceRow settle(InstanceState state, String reason) throws IOException {
        InstanceRow row = current().withState(state, reason, scheduler.now());
        table.hold(row);
        return row;
    }

    InstanceRow note(InstanceRow row) {
        table.note(row);
        return row;
    }

    /** Notes a state, unless the row says the same already. */
    InstanceRow at(InstanceState state, String reason) {
        InstanceRow row = current();
        boolean same = row.state() == state && row.reason().equals(reason);
        return same ? row : note(row.withState(state, reason, scheduler.now()));
    }
}
