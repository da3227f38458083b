package io.carlos.agent.service.admin;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.admin.DrainState;
import io.carlos.model.runs.RunId;
import java.util.List;
import java.util.Set;
import org.springframework.jmx.export.annotation.ManagedOperation;

/** What an operator may tell an agent at work; its operations are commands of the {@link ControlBus}. */
public final class AgentControl {
    private final RunsWorker worker;
    private final AgentPulse pulse;
    private boolean draining;

    public AgentControl(RunsWorker worker, AgentPulse pulse) {
        this.worker = worker;
        this.pulse = pulse;
    }

    /** Picks no run from now on. What executes goes on, and cancels and runs past their time are still seen to. */
    @ManagedOperation
    public synchronized void drain() {
        worker.drain();
        draining = true;
    }

    /** Picks runs again, those that were queued meanwhile and are in time at once. */
    @ManagedOperation
    public synchronized void resume() {
        worker.resume();
        draining = false;
        pulse.wake();
    }

    /** The runs that this agent has: an agent that drains and has none may be stopped at no one's cost. */
    public Set<RunId> executing() {
        return worker.executing();
    }

    public synchronized DrainState state() {
        return new DrainState(draining, List.copyOf(executing()));
    }
}
