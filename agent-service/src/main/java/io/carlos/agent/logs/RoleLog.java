package io.carlos.agent.logs;

import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.time.Instant;

/** What one role of one host prints, whichever start of it. */
final class RoleLog {
    private final Host host;
    private final Role role;
    private final Journal journal;
    private final LogBudget budget;
    private final LogBuffer buffer;

    RoleLog(Host host, Role role, Journal journal, LogBudget budget, LogBuffer buffer) {
        this.host = host;
        this.role = role;
        this.journal = journal;
        this.budget = budget;
        this.buffer = buffer;
    }

    void add(Instant at, String text, boolean continues) throws InterruptedException {
        buffer.add(at, text, continues);
        journal.write(host, role, text);
    }

    LogBudget budget() {
        return budget;
    }

    LogBuffer buffer() {
        return buffer;
    }
}
