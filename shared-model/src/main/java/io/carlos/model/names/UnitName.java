package io.carlos.model.names;

import java.util.Optional;

/**
 * One instance of the four template units, such as {@code carlos-instance-seed@bill.example.com.service}.
 *
 * @param escapedId the escaped identifier, {@code %i} in the unit's file
 */
public record UnitName(Role role, String escapedId) {
    private static final String SUFFIX = ".service";

    /** systemd's own limit on the name of a unit. */
    private static final int MAX_LENGTH = 255;

    /** @throws InvalidNameException when systemd would not have such an instance */
    public UnitName {
        if (!isInstanceName(escapedId)) {
            throw new InvalidNameException(
                    "a unit's instance name", escapedId, "it is letters, digits and the characters : - _ . \\ @");
        }
        int length = role.unitPrefix().length() + escapedId.length() + SUFFIX.length();
        if (length > MAX_LENGTH) {
            throw new InvalidNameException(
                    "a unit's instance name", escapedId, "the unit's name would be over " + MAX_LENGTH + " characters");
        }
    }

    public static UnitName of(Role role, InstanceId id) {
        return new UnitName(role, id.escaped());
    }

    public static UnitName of(Role role, Host host) {
        return of(role, InstanceId.of(host));
    }

    /**
     * Recognises the four templates' instances among the units that systemd reports. Every instance that systemd accepts
     * counts, also one that no host is escaped to: who sweeps must find what somebody started by hand.
     *
     * @return nothing when the text is the name of any other unit, or of none
     */
    public static Optional<UnitName> parse(String name) {
        int at = name.indexOf('@');
        if (at < 0 || !name.endsWith(SUFFIX) || name.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String prefix = name.substring(0, at + 1);
        String escapedId = name.substring(at + 1, name.length() - SUFFIX.length());
        for (Role role : Role.values()) {
            if (role.unitPrefix().equals(prefix) && isInstanceName(escapedId)) {
                return Optional.of(new UnitName(role, escapedId));
            }
        }
        return Optional.empty();
    }

    /** The slice that this unit and the other roles of its host run in. */
    public SliceName slice() {
        return new SliceName(escapedId);
    }

    /** The unit's control group, relative to the root of the hierarchy. */
    public String cgroupPath() {
        return slice().cgroupPath() + "/" + value();
    }

    /** The whole name of the unit. */
    public String value() {
        return role.unitPrefix() + escapedId + SUFFIX;
    }

    /** The characters that systemd allows in an instance name; no pattern of systemctl is among them. */
    static boolean isInstanceName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!alphanumeric && ":-_.\\@".indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    @Override
    public String toString() {
        return value();
    }
}
