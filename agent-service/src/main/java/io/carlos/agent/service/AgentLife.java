package io.carlos.agent.service;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.runs.RunsWorker;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Starts the agent when everything else has started, and stops it, in order, before anything else stops. */
class AgentLife implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(AgentLife.class);

    private final PassSource passes;
    private final AgentPulse pulse;
    private final RunsWorker worker;
    private final Fleet fleet;
    private final BoxRelease release;
    private final Duration stopBound;
    private volatile boolean running;

    AgentLife(
            PassSource passes,
            AgentPulse pulse,
            RunsWorker worker,
            Fleet fleet,
            BoxRelease release,
            Duration stopBound) {
        this.passes = passes;
        this.pulse = pulse;
        this.worker = worker;
        this.fleet = fleet;
        this.release = release;
        this.stopBound = stopBound;
    }

    @Override
    public void start() {
        fleet.start();
        passes.start();
        running = true;
    }

    /** Lets no other pass begin, ends what executes within the bound, and then gives the box's records up. */
    @Override
    public void stop() {
        running = false;
        try {
            pulse.stop();
            // Before the wait for the pass under way, which a slow store may draw out: the runs' time to end counts.
            worker.stop(stopBound);
            passes.stop(); // that pass may still claim records, which are released next
            release.release();
        } catch (InterruptedException e) {
            log.warn("agent: interrupted while it stopped; its next start closes out what it left");
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
