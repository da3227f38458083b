package io.carlos.agent.container;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something could not be done with a container; the message names it. */
public class ContainerException extends IOException {
    private static final long serialVersionUID = 1L;

    public ContainerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
