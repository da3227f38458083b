package io.carlos.agent.logs;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** What the instances of a box print: taken from their units, kept for a while, and handed to the journal. */
public final class InstanceLogs {
    private final BoxPaths paths;
    private final Predicate<UserPrincipal> peers;
    private final Journal journal;
    private final LogLimits limits;
    private final Scheduler scheduler;
    private final Map<Host, HostLog> hosts = new ConcurrentHashMap<>();

    /** @param peers who may connect as a unit: see {@link StreamListener#onlyRoot} */
    public InstanceLogs(
            BoxPaths paths, Predicate<UserPrincipal> peers, Journal journal, LogLimits limits, Scheduler scheduler) {
        this.paths = paths;
        this.peers = peers;
        this.journal = journal;
        this.limits = limits;
        this.scheduler = scheduler;
    }

    /**
     * Listens for what the next unit of that role prints.
     *
     * @param role any but the one-off command's, whose output is the run's own
     * @throws IOException when the socket cannot be made
     */
    public LogIntake open(Host host, Role role) throws IOException {
        if (role == Role.CMD) {
            throw new IllegalArgumentException("instance log: " + host + ": the output of a command is its run's");
        }
        RoleLog log = hosts.computeIfAbsent(host, HostLog::new).role(role);
        return new LogIntake(log, paths.logSocket(InstanceId.of(host), role, OutputChannel.STDOUT), peers, scheduler);
    }

    /**
     * A reader of what is kept, and of what comes.
     *
     * @param from the number of the first line wanted; 1 for all that is kept
     * @return empty when nothing of that host and role was started since the agent's start
     */
    public Optional<LogReader> reader(Host host, Role role, long from) {
        return Optional.ofNullable(hosts.get(host))
                .flatMap(log -> log.find(role))
                .map(log -> new LogReader(log.buffer(), from));
    }

    /** Drops what is kept of a host. */
    public void forget(Host host) {
        hosts.remove(host);
    }

    private final class HostLog {
        private final Host host;
        private final LogBudget budget = new LogBudget(limits, scheduler);
        private final Map<Role, RoleLog> roles = new EnumMap<>(Role.class);

        HostLog(Host host) {
            this.host = host;
        }

        synchronized RoleLog role(Role role) {
            return roles.computeIfAbsent(role, r -> new RoleLog(host, r, journal, budget, new LogBuffer(limits)));
        }

        synchronized Optional<RoleLog> find(Role role) {
            return Optional.ofNullable(roles.get(role));
        }
    }
}
