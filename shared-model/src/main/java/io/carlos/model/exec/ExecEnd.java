package io.carlos.model.exec;

import org.jspecify.annotations.Nullable;

/**
 * How a command ended; one of the three is given.
 *
 * @param exit its own status
 * @param signal the number of the signal that it died of
 * @param failure one sentence on why nobody knows: its machine has gone, or was stopped
 */
public record ExecEnd(
        @Nullable Integer exit,
        @Nullable Integer signal,
        @Nullable String failure) {
    public static ExecEnd exited(int status) {
        return new ExecEnd(status, null, null);
    }

    public static ExecEnd killed(int signal) {
        return new ExecEnd(null, signal, null);
    }

    public static ExecEnd failed(String why) {
        return new ExecEnd(null, null, why);
    }
}
