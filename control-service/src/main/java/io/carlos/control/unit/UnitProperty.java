package io.carlos.control.unit;

/** The properties of a unit that somebody asks for, see org.freedesktop.systemd1(5). */
public enum UnitProperty {
    INVOCATION_ID("InvocationID"),
    ACTIVE_STATE("ActiveState"),
    SUB_STATE("SubState"),
    RESULT("Result"),
    EXEC_MAIN_STATUS("ExecMainStatus"),
    EXEC_MAIN_CODE("ExecMainCode"),
    MAIN_PID("MainPID"),
    CONTROL_GROUP("ControlGroup");

    private final String systemdName;

    UnitProperty(String systemdName) {
        this.systemdName = systemdName;
    }

    /** The name as {@code systemctl show -p} takes it. */
    public String systemdName() {
        return systemdName;
    }
}
