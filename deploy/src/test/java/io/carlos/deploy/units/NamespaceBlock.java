package io.carlos.deploy.units;

import java.util.List;

/** The lines that the units of tenants and the probe share. */
final class NamespaceBlock {
    private static final String BEGIN = "# --- the namespace\n";
    private static final String END = "# --- per-service resources\n";

    /** Every unit that has the block. */
    static final List<String> UNITS = List.of(
            "carlos-instance@.service",
            "carlos-instance-seed@.service",
            "carlos-instance-sidecar@.service",
            "carlos-instance-cmd@.service",
            "carlos-instance-probe.service");

    private NamespaceBlock() {}

    /** The text from one marker to the other. */
    static String of(UnitFile unit) {
        String text = unit.text();
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin || begin != text.lastIndexOf(BEGIN) || end != text.lastIndexOf(END)) {
            throw new IllegalArgumentException(unit + ": expected the two lines around the namespace once, in order");
        }
        return text.substring(begin, end);
    }

    /** The block's settings, as a unit of nothing else. */
    static UnitFile shared() {
        UnitFile first = UnitFile.of(UNITS.getFirst());
        return UnitFile.parse("the namespace", "[Service]\n" + of(first));
    }
}
