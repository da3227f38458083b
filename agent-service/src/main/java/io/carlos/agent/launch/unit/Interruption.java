package io.carlos.agent.launch.unit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the instance beside a command stops, and why. */
final class Interruption implements InstanceGate.Command {
    private static final Logger log = LoggerFactory.getLogger(Interruption.class);

    private final String subject;
    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();

    Interruption(String subject) {
        this.subject = subject;
    }

    /** Further reasons change nothing. */
    @Override
    public void interrupt(String why) {
        if (reason.compareAndSet(null, why)) {
            log.info("launch: {}: interrupted: {}", subject, why);
        }
    }

    Optional<String> reason() {
        return Optional.ofNullable(reason.get());
    }
}
