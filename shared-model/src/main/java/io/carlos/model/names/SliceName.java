package io.carlos.model.names;

/**
 * The slice that all units of one host run in: {@code carlos-instances-<escaped identifier>.slice}, a child of
 * {@code carlos-instances.slice}, itself a child of {@code carlos.slice}.
 *
 * @param escapedId the escaped identifier, {@code %i} in the file of a unit in this slice
 */
public record SliceName(String escapedId) {
    private static final String PREFIX = "carlos-instances-";
    private static final String SUFFIX = ".slice";

    /** @throws InvalidNameException when systemd would not have such an instance */
    public SliceName {
        if (!UnitName.isInstanceName(escapedId)) {
            throw new InvalidNameException(
                    "a unit's instance name", escapedId, "it is letters, digits and the characters : - _ . \\ @");
        }
    }

    public static SliceName of(InstanceId id) {
        return new SliceName(id.escaped());
    }

    public static SliceName of(Host host) {
        return of(InstanceId.of(host));
    }

    /** The whole name of the slice. */
    public String value() {
        return PREFIX + escapedId + SUFFIX;
    }

    /** The slice's control group, relative to the root of the hierarchy; systemd nests slices at each hyphen. */
    public String cgroupPath() {
        String name = PREFIX + escapedId;
        StringBuilder path = new StringBuilder();
        for (int dash = name.indexOf('-'); dash >= 0; dash = name.indexOf('-', dash + 1)) {
            path.append(name, 0, dash).append(SUFFIX).append('/');
        }
        return path.append(name).append(SUFFIX).toString();
    }

    @Override
    public String toString() {
        return value();
    }
}
