package io.carlos.guest.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a call: whatever goes wrong while its answer is made or sent, the caller is told, and does not wait for ever. */
final class LastWord {
    private static final Logger log = LoggerFactory.getLogger(LastWord.class);

    private LastWord() {}

    /** @param answer ends the call; it runs on threads that would lose what it throws */
    static void say(StreamObserver<?> response, Runnable answer) {
        try {
            answer.run();
        } catch (Throwable failure) {
            try {
                log.error("answer: cannot be sent", failure);
                response.onError(Statuses.internal("the answer could not be sent", failure)
                        .asException());
            } catch (Throwable again) {
                cancel(response, again);
            }
        }
    }

    /** With as little as possible: memory may be short. */
    private static void cancel(StreamObserver<?> response, Throwable cause) {
        try {
            response.onError(Status.CANCELLED.asException());
        } catch (Throwable last) {
            cause.addSuppressed(last);
            log.error("answer: the call can neither be answered nor cancelled", cause);
        }
    }
}
