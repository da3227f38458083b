package io.carlos.agent.service;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.VitalTask;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.messaging.support.GenericMessage;

/**
 * Sends what each pass has noted, as one message. It has a task of its own instead of a poller: a pass may wait for a
 * store, and stopping a poller would interrupt it.
 */
class PassSource extends MessageProducerSupport {
    private final AgentPulse pulse;
    private final Scheduler scheduler;
    private final BoxBegin begin;
    private @Nullable Task task;

    PassSource(AgentPulse pulse, Scheduler scheduler, BoxBegin begin) {
        this.pulse = pulse;
        this.scheduler = scheduler;
        this.begin = begin;
    }

    @Override
    protected void doStart() {
        if (pulse.isStopping()) {
            throw new IllegalStateException("agent: it was stopped, and starts once: start a new process");
        }
        task = VitalTask.fork(scheduler, "passes", this::sendPasses);
    }

    private void sendPasses() throws InterruptedException {
        pulse.boot();
        if (!pulse.isStopping()) {
            begin.begin();
        }
        while (!pulse.isStopping()) {
            List<InstanceRecord> noted = pulse.awaitPass();
            if (!noted.isEmpty()) {
                sendMessage(new GenericMessage<>(noted));
            }
        }
    }

    /** Returns when the pass under way has ended. */
    @Override
    protected void doStop() {
        pulse.stop();
        if (task != null) {
            try {
                task.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
