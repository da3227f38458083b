package io.carlos.agent.fleet;

import io.carlos.model.fleet.SupersededException;

/** Told by a {@link FleetMember} on its own task; must not wait for its stop. */
public interface FleetListener {
    /** Another box is lost: there may be something to take. */
    void lost(String box);

    /** This agent may not act any more; called once. */
    void superseded(SupersededException.Reason reason);
}
