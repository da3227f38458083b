package io.carlos.control.unit;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.SliceName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The argument lists of systemctl(1), one for each call of {@link UnitManager}. */
final class SystemctlArguments {
    /** An exact list of templates: a pattern of their common start would take the control service for one of them. */
    private static final List<String> TEMPLATES = List.of(
            "carlos-instance@*.service",
            "carlos-instance-seed@*.service",
            "carlos-instance-sidecar@*.service",
            "carlos-instance-cmd@*.service");

    private SystemctlArguments() {}

    static List<String> setMemory(SliceName slice, MemoryTier tier) {
        return List.of(
                "set-property",
                "--runtime",
                slice.value(),
                "MemoryMax=" + tier.maxBytes(),
                "MemoryHigh=" + tier.highBytes(),
                "MemorySwapMax=" + tier.maxBytes());
    }

    static List<String> start(Unit unit) {
        return List.of("start", unit.name());
    }

    static List<String> startInBackground(Unit unit) {
        return List.of("start", "--no-block", unit.name());
    }

    static List<String> invocation(Unit unit) {
        return List.of("show", "-p", UnitProperty.INVOCATION_ID.systemdName(), "--value", unit.name());
    }

    static List<String> show(Unit unit, List<UnitProperty> properties) {
        String names = properties.stream().map(UnitProperty::systemdName).collect(Collectors.joining(","));
        return List.of("show", "-p", names, unit.name());
    }

    static List<String> terminateMain(Unit unit) {
        return List.of("kill", "--kill-whom=main", "--signal=SIGTERM", unit.name());
    }

    /** In no order: in a shutdown the unit's stop would wait for that of the agent, who waits for this one. */
    static List<String> stop(Unit unit) {
        return List.of("stop", "--job-mode=ignore-dependencies", unit.name());
    }

    static List<String> resetFailed(Unit unit) {
        return List.of("reset-failed", unit.name());
    }

    static List<String> instances() {
        List<String> arguments =
                new ArrayList<>(List.of("list-units", "--all", "--plain", "--no-legend", "--no-pager"));
        arguments.addAll(TEMPLATES);
        return List.copyOf(arguments);
    }

    static List<String> jobs() {
        return List.of("list-jobs", "--plain", "--no-legend", "--no-pager");
    }
}
