package io.carlos.control.request;

import io.carlos.control.ready.NotReadyException;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.verb.BusyException;
import io.carlos.control.verb.ExpiredException;
import io.carlos.control.verb.FailedStartException;
import io.carlos.control.verb.UnfinishedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be asked for.
 *
 * @param name what metrics call it
 * @param blocking whether it waits for systemd or the kernel, so that it needs a thread of its own
 * @param parameters the names of its query parameters, all of them mandatory; the header of a deadline is none
 */
public record Endpoint(
        String name, Method method, String path, boolean blocking, List<String> parameters, Action action) {
    public Endpoint {
        parameters = List.copyOf(parameters);
    }

    /** The methods there are. */
    public enum Method {
        GET,
        POST
    }

    /** What it does. */
    @FunctionalInterface
    public interface Action {
        /** @return the answer's value, null when there is nothing to say but that it is done */
        @Nullable
        Object run(Query query)
                throws BadRequestException, SystemdException, BusyException, ExpiredException, FailedStartException,
                        UnfinishedException, NotReadyException, InterruptedException;
    }
}
