package io.carlos.agent.instance;

import io.carlos.model.names.Host;

/** What became of an operation on an instance. */
public sealed interface OperationOutcome {
    /** It is as asked. */
    record Done(InstanceRow row) implements OperationOutcome {}

    /**
     * It could not be done, and nothing half done is left.
     *
     * @param reason one sentence for the operator
     */
    record Failed(Host host, String reason) implements OperationOutcome {}

    /** The box is not ready to start anything; it tries again by itself where the instance should run. */
    record NotReady(Host host, String reason) implements OperationOutcome {}

    /** This box has no such instance. */
    record NoInstance(Host host) implements OperationOutcome {}
}
