package io.carlos.agent.container.microvm;

import java.util.List;

/**
 * What is started for one machine.
 *
 * @param helpers in their order, each ready before the next is started; none ends before the machine does
 * @param machine the monitor, which ends with the machine, and prints what that says
 */
public record MachinePlan(List<ProgramSpec> helpers, ProgramSpec machine) {
    public MachinePlan {
        helpers = List.copyOf(helpers);
    }
}
