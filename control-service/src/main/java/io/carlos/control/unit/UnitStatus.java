package io.carlos.control.unit;

import io.carlos.model.control.MainCode;
import io.carlos.model.names.InvocationId;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What systemd showed of a unit at one moment. What was not asked for, or is not known yet, is empty text.
 *
 * @param values what systemd wrote, by property
 */
public record UnitStatus(Map<UnitProperty, String> values) {
    public UnitStatus {
        values = Map.copyOf(values);
    }

    /** Reads the {@code Name=value} lines of {@code systemctl show}; others are passed over. */
    static UnitStatus parse(String output) {
        Map<UnitProperty, String> values = new EnumMap<>(UnitProperty.class);
        output.lines().forEach(line -> {
            for (UnitProperty property : UnitProperty.values()) {
                String prefix = property.systemdName() + "=";
                if (line.startsWith(prefix)) {
                    values.put(property, line.substring(prefix.length()));
                }
            }
        });
        return new UnitStatus(values);
    }

    public String get(UnitProperty property) {
        return values.getOrDefault(property, "");
    }

    /**
     * Empty when the unit was never started, or is no longer in systemd's memory.
     *
     * @throws io.carlos.model.names.InvalidNameException when systemd wrote something that is none
     */
    public Optional<InvocationId> invocation() {
        return Optional.of(get(UnitProperty.INVOCATION_ID))
                .filter(text -> !text.isEmpty())
                .map(InvocationId::of);
    }

    /** Its start has begun and not come to an end: for a oneshot, while its command runs. */
    public boolean isActivating() {
        return get(UnitProperty.ACTIVE_STATE).equals("activating");
    }

    public boolean isInactive() {
        return get(UnitProperty.ACTIVE_STATE).equals("inactive");
    }

    /** A oneshot came to its end, as far as systemd knows, and its unit is kept to tell how. */
    public boolean isEnded() {
        return get(UnitProperty.ACTIVE_STATE).equals("failed")
                || (get(UnitProperty.ACTIVE_STATE).equals("active")
                        && get(UnitProperty.SUB_STATE).equals("exited"));
    }

    /** systemd's {@code Result}, such as {@code success} or {@code oom-kill}. */
    public String result() {
        return get(UnitProperty.RESULT);
    }

    /** The exit status or the signal's number; 0 when systemd has none. */
    public int mainStatus() {
        return number(UnitProperty.EXEC_MAIN_STATUS);
    }

    /** {@link MainCode#NONE} when systemd has none. */
    public MainCode mainCode() {
        String text = get(UnitProperty.EXEC_MAIN_CODE);
        return text.isEmpty() ? MainCode.NONE : MainCode.of(text);
    }

    /** 0 when no main process runs. */
    public int mainPid() {
        return number(UnitProperty.MAIN_PID);
    }

    /** The path of the unit's control group, from the root of the hierarchy; empty when it is not known yet. */
    public String controlGroup() {
        return get(UnitProperty.CONTROL_GROUP);
    }

    private int number(UnitProperty property) {
        try {
            return Integer.parseInt(get(property));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
