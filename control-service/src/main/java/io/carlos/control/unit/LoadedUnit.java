package io.carlos.control.unit;

import io.carlos.model.names.UnitName;
import java.util.ArrayList;
import java.util.List;

/**
 * A tenant's unit that is in systemd's memory.
 *
 * @param activeState such as {@code active}, {@code inactive} or {@code failed}
 */
public record LoadedUnit(UnitName name, String activeState) {
    private static final int ACTIVE_COLUMN = 2;

    /** Reads {@code list-units --plain --no-legend}: unit, load state, active state and more; other units are left out. */
    static List<LoadedUnit> parse(String output) {
        List<LoadedUnit> units = new ArrayList<>();
        output.lines().forEach(line -> {
            String[] columns = line.strip().split("\\s+");
            if (columns.length > ACTIVE_COLUMN) {
                UnitName.parse(columns[0]).ifPresent(name -> units.add(new LoadedUnit(name, columns[ACTIVE_COLUMN])));
            }
        });
        return List.copyOf(units);
    }

    public boolean isInactive() {
        return activeState.equals("inactive");
    }
}
