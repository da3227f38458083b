package io.carlos.control.server;

import io.carlos.control.metrics.ControlMetrics;
import io.carlos.control.peer.Vetting;
import io.carlos.control.request.Endpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunctions;

/** Endpoints behind a real server on one socket. */
final class ServedEndpoints implements AutoCloseable {
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final ControlMetrics metrics = new ControlMetrics(registry);
    final OpenRequests openRequests = new OpenRequests();
    final UnixSocketServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    ServedEndpoints(ListenSocket socket, Vetting vetting, ServerLimits limits, List<Endpoint> endpoints) {
        HttpHandler handler = RouterFunctions.toHttpHandler(
                new EndpointRoutes(endpoints, openRequests.count(threads), metrics),
                HandlerStrategies.empty()
                        .codecs(codecs -> codecs.registerDefaults(true))
                        .exceptionHandler(new ProblemHandler())
                        .build());
        Listener listener = new Listener(socket, vetting, metrics::peerRefused, false);
        server = new UnixSocketServer(List.of(listener), limits, handler, openRequests);
    }

    ServedEndpoints start() {
        server.start();
        return this;
    }

    double refused(String reason) {
        return registry.get("carlos.control.peer.refused")
                .tag("reason", reason)
                .counter()
                .count();
    }

    @Override
    public void close() {
        server.stop();
        threads.shutdownNow();
    }
}
