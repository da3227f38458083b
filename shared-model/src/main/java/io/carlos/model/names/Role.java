package io.carlos.model.names;

/** What a unit of an instance is there for. */
public enum Role {
    /** The instance itself. */
    RUN("run", "carlos-instance@"),
    /** What fills the instance's data before its first start. */
    SEED("seed", "carlos-instance-seed@"),
    /** What runs for as long as the instance, beside it. */
    SIDECAR("sidecar", "carlos-instance-sidecar@"),
    /** A one-off command beside the instance. */
    CMD("cmd", "carlos-instance-cmd@");

    private final String wireName;
    private final String unitPrefix;

    Role(String wireName, String unitPrefix) {
        this.wireName = wireName;
        this.unitPrefix = unitPrefix;
    }

    /** The role with exactly this wire name. */
    public static Role of(String wireName) {
        for (Role role : values()) {
            if (role.wireName.equals(wireName)) {
                return role;
            }
        }
        throw new InvalidNameException("a role", wireName, "it is one of run, seed, sidecar and cmd");
    }

    /** The role in requests, file names and arguments. */
    public String wireName() {
        return wireName;
    }

    /** What stands before the instance name in a unit of this role, the {@code @} included. */
    String unitPrefix() {
        return unitPrefix;
    }

    /** The wire name. */
    @Override
    public String toString() {
        return wireName;
    }
}
