package io.carlos.agent.container;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A container did not come to run, and nothing of it runs. */
public final class StartFailedException extends ContainerException {
    private static final long serialVersionUID = 1L;

    private final String step;

    /**
     * @param step of the start that failed
     * @param lastLines what the machine said last, oldest first
     */
    public StartFailedException(
            String container, String step, String reason, List<String> lastLines, @Nullable Throwable cause) {
        super(message(container, step, reason, lastLines), cause);
        this.step = step;
    }

    private static String message(String container, String step, String reason, List<String> lastLines) {
        String message = container + ": its start failed at " + step + ": " + reason;
        return lastLines.isEmpty() ? message : message + "; its last lines:\n  " + String.join("\n  ", lastLines);
    }

    public String step() {
        return step;
    }
}
