package io.carlos.agent.logs;

import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/** What one role of one host prints, whichever start of it. */
final class RoleLog {
    private final Host host;
    private final Role role;
    private final Journal journal;
    private final LogBudget budget;
    private final LogBuffer buffer;
    private final LongAdder pauses;

    /** @param pauses counts how often a host was made to wait */
    RoleLog(Host host, Role role, Journal journal, LogBudget budget, LogBuffer buffer, LongAdder pauses) {
        this.host = host;
        this.role = role;
        this.journal = journal;
        this.budget = budget;
        this.buffer = buffer;
        this.pauses = pauses;
    }

    void add(Instant at, String text, boolean continues) throws InterruptedException {
        buffer.add(at, text, continues);
        journal.write(host, role, text);
    }

    /** @return how long to wait before anything more is read; zero when there is no need */
    Duration take(int bytes, int lines) {
        Duration wait = budget.take(bytes, lines);
        if (!wait.isZero()) {
            pauses.increment();
        }
        return wait;
    }

    LogBuffer buffer() {
        return buffer;
    }
}
