package io.carlos.agent.service;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.runs.RunId;
import java.util.Set;

/** What an operator may tell an agent at work. */
public final class AgentControl {
    private final RunsWorker worker;
    private final AgentPulse pulse;

    AgentControl(RunsWorker worker, AgentPulse pulse) {
        this.worker = worker;
        this.pulse = pulse;
    }

    /** Picks no run from now on. What executes goes on, and cancels and runs past their time are still seen to. */
    public void drain() {
        worker.drain();
    }

    /** Picks runs again, those that were queued meanwhile and are in time at once. */
    public void resume() {
        worker.resume();
        pulse.wake();
    }

    /** The runs that this agent has: an agent that drains and has none may be stopped at no one's cost. */
    public Set<RunId> executing() {
        return worker.executing();
    }
}
