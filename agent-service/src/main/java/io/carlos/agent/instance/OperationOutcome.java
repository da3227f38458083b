package io.carlos.agent.instance;

import io.carlos.model.names.Host;

/** What became of an operation on an instance. */
public sealed interface OperationOutcome {
    /** It is as asked. */
    record Done(InstanceRow row) implements OperationOutcome {}

    /**
     * It could not be done. Nothing of a failed start is left; what a failed stop was to end has ended, and only that it is not wanted
     * may be forgotten by the agent's next start.
     *
     * @param reason one sentence for the operator
     */
    record Failed(Host host, String reason) implements OperationOutcome {}

    /** The box is not ready to start anything. It tries an instance again by itself, and a sidecar not. */
    record NotReady(Host host, String reason) implements OperationOutcome {}

    /** This box has no such instance. */
    record NoInstance(Host host) implements OperationOutcome {}
}
