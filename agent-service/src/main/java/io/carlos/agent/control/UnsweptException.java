package io.carlos.agent.control;

import io.carlos.model.names.UnitName;
import java.io.Serial;
import java.util.Set;

/** A sweep was answered: all units have stopped but for some. */
public final class UnsweptException extends ControlException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient Set<UnitName> units;

    /** @param units those that did not stop */
    public UnsweptException(String message, Set<UnitName> units) {
        super(Outcome.MAY_RUN, message);
        this.units = Set.copyOf(units);
    }

    /** Those that did not stop; nothing of any other unit runs. */
    public Set<UnitName> units() {
        return units;
    }
}
