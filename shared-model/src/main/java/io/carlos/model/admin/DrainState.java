package io.carlos.model.admin;

import io.carlos.model.runs.RunId;
import java.util.Comparator;
import java.util.List;

/**
 * Whether an agent picks runs.
 *
 * @param executing the runs that it has; one that drains and has none may be stopped at no one's cost
 */
public record DrainState(boolean draining, List<RunId> executing) {
    public DrainState {
        executing =
                executing.stream().sorted(Comparator.comparing(RunId::value)).toList();
    }
}
