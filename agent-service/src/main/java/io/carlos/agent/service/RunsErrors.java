package io.carlos.agent.service;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.runs.ActiveRun;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessagingException;

/** Where a record ends up whose handling threw: it is logged and counted, and the next pass hands it on again. */
class RunsErrors {
    private static final Logger log = LoggerFactory.getLogger(RunsErrors.class);

    private final AtomicLong failures = new AtomicLong();

    /** How many there were since the start. */
    long count() {
        return failures.get();
    }

    void take(Throwable failure) {
        long count = failures.incrementAndGet();
        Throwable cause =
                failure instanceof MessagingException && failure.getCause() != null ? failure.getCause() : failure;
        if (failure instanceof MessagingException messaging
                && messaging.getFailedMessage() instanceof Message<?> message
                && message.getPayload() instanceof InstanceRecord record) {
            String run = record.run().map(ActiveRun::id).map(Object::toString).orElse("none");
            log.error("run: not acted on: record={} run={} failures={}", record.ref(), run, count, cause);
        } else {
            log.error("run: not acted on: record=unknown failures={}", count, cause);
        }
    }
}
