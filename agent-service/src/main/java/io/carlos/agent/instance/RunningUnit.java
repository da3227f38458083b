package io.carlos.agent.instance;

import io.carlos.agent.logs.LogIntake;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;

/** A unit that was started and not stopped yet, whether its program still runs or not. */
record RunningUnit(Host host, Role role, InvocationId invocation, LogIntake log) {
    InstanceId id() {
        return InstanceId.of(host);
    }
}
