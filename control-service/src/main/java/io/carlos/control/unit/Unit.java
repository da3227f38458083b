package io.carlos.control.unit;

import io.carlos.model.names.InvalidNameException;
import io.carlos.model.names.UnitName;

/**
 * A service unit as systemctl takes it: never a pattern, never an option.
 *
 * @param name the whole name, such as {@code carlos-edge.service}
 */
public record Unit(String name) implements Comparable<Unit> {
    /** The oneshot that proves the tenants' namespace from inside. */
    public static final Unit PROBE = new Unit("carlos-instance-probe.service");

    private static final String SUFFIX = ".service";
    private static final int MAX_LENGTH = 255;

    /** @throws InvalidNameException when systemd would not have such a service */
    public Unit {
        if (!name.endsWith(SUFFIX) || name.length() == SUFFIX.length() || name.length() > MAX_LENGTH) {
            throw new InvalidNameException(
                    "a service unit", name, "it ends in .service and has at most 255 characters");
        }
        if (name.startsWith("-") || !name.chars().allMatch(Unit::isAllowed)) {
            throw new InvalidNameException(
                    "a service unit", name, "it is letters, digits and the characters : - _ . \\ @, no - first");
        }
    }

    public static Unit of(UnitName name) {
        return new Unit(name.value());
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || ":-_.\\@".indexOf(c) >= 0;
    }

    @Override
    public int compareTo(Unit other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
