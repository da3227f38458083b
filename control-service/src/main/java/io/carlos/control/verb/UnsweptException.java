package io.carlos.control.verb;

import io.carlos.model.names.UnitName;
import java.util.Set;
import java.util.TreeSet;

/** Some units did not stop when everything was to be stopped; all others have. */
public final class UnsweptException extends UnfinishedException {
    private static final long serialVersionUID = 1L;

    private final TreeSet<String> units = new TreeSet<>();

    /** @param units those that did not stop */
    public UnsweptException(String message, Set<UnitName> units) {
        super(message);
        units.forEach(unit -> this.units.add(unit.value()));
    }

    /** The names of those that did not stop, sorted. */
    public Set<String> units() {
        return units;
    }
}
