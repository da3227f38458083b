package io.carlos.agent;

import io.carlos.agent.runs.RunsWorker;

/** Drives an agent's pulse on one thread: the worker acts after each pass, never during one. */
public final class AgentLoop {
    private final AgentPulse pulse;
    private final RunsWorker worker;

    public AgentLoop(AgentPulse pulse, RunsWorker worker) {
        this.pulse = pulse;
        this.worker = worker;
    }

    /** Runs until {@link AgentPulse#stop}; ends early when interrupted. */
    public void run() throws InterruptedException {
        pulse.boot();
        while (!pulse.isStopping()) {
            worker.actOnEach(pulse.awaitPass());
        }
    }
}
