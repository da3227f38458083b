package io.carlos.control.verb;

import io.carlos.model.linux.BootClock;

/** Until when a start may begin. Whoever asked has given it up after that, and may have asked for something else. */
@FunctionalInterface
public interface Deadline {
    /** Of a start that may begin at any time. */
    Deadline NONE = () -> false;

    /** @param nanos of the {@linkplain BootClock boot clock} */
    static Deadline at(long nanos) {
        return () -> BootClock.nanos() >= nanos;
    }

    boolean isOver();
}
