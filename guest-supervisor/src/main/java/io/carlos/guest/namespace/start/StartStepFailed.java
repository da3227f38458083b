package io.carlos.guest.namespace.start;

import io.carlos.model.start.StartStep;

/** A step of a start that cannot be done. */
final class StartStepFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StartStep step;
    private final int errno;

    StartStepFailed(StartStep step, int errno) {
        super(step + ": errno " + errno);
        this.step = step;
        this.errno = errno;
    }

    StartStep step() {
        return step;
    }

    int errno() {
        return errno;
    }
}
