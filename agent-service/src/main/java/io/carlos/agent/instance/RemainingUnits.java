package io.carlos.agent.instance;

import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.SliceName;
import io.carlos.model.names.UnitName;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Units that did not stop when all were to, host by host. The name of a unit tells the slice of its host, and not the host. */
final class RemainingUnits {
    private final Map<SliceName, Set<Role>> roles;

    private RemainingUnits(Map<SliceName, Set<Role>> roles) {
        this.roles = roles;
    }

    static RemainingUnits none() {
        return of(Set.of());
    }

    static RemainingUnits of(Collection<UnitName> units) {
        return new RemainingUnits(new HashMap<>(units.stream()
                .collect(Collectors.groupingBy(
                        UnitName::slice, Collectors.mapping(UnitName::role, Collectors.toUnmodifiableSet())))));
    }

    RemainingUnits copy() {
        return new RemainingUnits(new HashMap<>(roles));
    }

    /** The host's; none when all of its units have stopped. */
    Set<Role> of(Host host) {
        return roles.getOrDefault(SliceName.of(host), Set.of());
    }

    /** As {@link #of}, and forgets them. */
    Set<Role> take(Host host) {
        Set<Role> taken = of(host);
        roles.remove(SliceName.of(host));
        return taken;
    }

    void forgetAll() {
        roles.clear();
    }

    boolean isEmpty() {
        return roles.isEmpty();
    }
}
