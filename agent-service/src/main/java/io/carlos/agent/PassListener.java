package io.carlos.agent;

import io.carlos.agent.reconcile.PassReport;
import java.util.List;

/** Told of an agent's passes by the thread that makes them; must not wait. */
public interface PassListener {
    PassListener NONE = new PassListener() {};

    /** The driver is at work: it looks whether a pass is due. */
    default void looking() {}

    default void passed(PassReport report) {}

    /** A pass was not complete, and the box stays as it is. */
    default void failed(Exception cause) {}

    /** Tells each of them. */
    static PassListener all(List<? extends PassListener> listeners) {
        List<PassListener> told = List.copyOf(listeners);
        return new PassListener() {
            @Override
            public void looking() {
                told.forEach(PassListener::looking);
            }

            @Override
            public void passed(PassReport report) {
                told.forEach(listener -> listener.passed(report));
            }

            @Override
            public void failed(Exception cause) {
                told.forEach(listener -> listener.failed(cause));
            }
        };
    }
}
