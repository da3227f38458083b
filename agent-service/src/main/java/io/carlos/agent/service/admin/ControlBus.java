package io.carlos.agent.service.admin;

import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** The way of operators' commands to the flow of runs; each has been carried out when it returns. */
public final class ControlBus {
    private final MessageChannel channel;
    private final String control;

    /** @param control the name of the bean that is an {@link AgentControl} */
    public ControlBus(MessageChannel channel, String control) {
        this.channel = channel;
        this.control = control;
    }

    /** See {@link AgentControl#drain}. */
    public void drain() {
        send("drain");
    }

    /** See {@link AgentControl#resume}. */
    public void resume() {
        send("resume");
    }

    private void send(String operation) {
        channel.send(new GenericMessage<>(control + "." + operation));
    }
}
