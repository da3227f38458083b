package io.carlos.control.unit;

import java.nio.file.Path;

/**
 * The ways to systemd, one for each kind of caller, so that none waits behind the calls of another.
 *
 * @param verbs for starts, and for whoever asks how a unit does
 * @param stops for what ends a unit, which must get through whatever else is asked
 * @param vetting for telling who asks
 */
public record UnitManagers(UnitManager verbs, UnitManager stops, UnitManager vetting) {
    private static final int AT_A_TIME = 8;

    /**
     * @param systemctl the program
     * @param peers that are vetted at a time, none of which waits for another
     */
    public static UnitManagers by(Path systemctl, int peers) {
        return new UnitManagers(
                new Systemctl(systemctl, AT_A_TIME),
                new Systemctl(systemctl, AT_A_TIME),
                new Systemctl(systemctl, peers));
    }
}
