package io.carlos.agent.container.microvm;

import java.util.Optional;

/** Whether machines may be made on this box at all. */
@FunctionalInterface
public interface BootPermission {
    /** For machines that reach nothing worth keeping from them. */
    BootPermission GIVEN = Optional::empty;

    /** Why none may be made, and what to do about it, in one sentence; empty when they may. */
    Optional<String> objection();
}
