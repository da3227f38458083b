package io.carlos.agent.service.admin;

import io.carlos.model.admin.InstanceRows;
import io.carlos.model.admin.LogLines;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.time.Duration;

/**
 * The instances of a box as operators see and move them. What names a host that the box does not have, or cannot be done, ends in
 * an {@link AdminException}.
 */
public interface BoxInstances {
    InstanceRows rows();

    /** @param role run or sidecar */
    void start(Host host, Role role) throws InterruptedException;

    /** @param role run or sidecar; an instance takes its sidecar with it */
    void stop(Host host, Role role) throws InterruptedException;

    /** @param role run or sidecar */
    void restart(Host host, Role role) throws InterruptedException;

    /**
     * The lines from that number on; returns when there are any, or when the wait is over.
     *
     * @param role any but the one-off command's, whose output is the run's own
     */
    LogLines logs(Host host, Role role, long from, Duration wait) throws InterruptedException;

    /** Stops whatever runs in units of instances; what should run stays down until it is woken. */
    SweepAnswer sweep() throws InterruptedException;
}
