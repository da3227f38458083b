package io.carlos.control.server;

import io.carlos.control.metrics.ControlMetrics;
import io.carlos.control.request.Endpoint;
import io.carlos.model.control.ControlApi;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Takes requests to their endpoints. One that waits for systemd gets a thread of its own, and runs to its end also when
 * whoever asked has gone: half a stop would be worse than one that nobody waits for.
 */
public final class EndpointRoutes implements RouterFunction<ServerResponse> {
    private final Map<String, Map<Endpoint.Method, Endpoint>> endpoints = new HashMap<>();
    private final Executor threads;
    private final ControlMetrics metrics;

    /** @param threads gives each blocking endpoint a thread of its own */
    public EndpointRoutes(List<Endpoint> endpoints, Executor threads, ControlMetrics metrics) {
        for (Endpoint endpoint : endpoints) {
            this.endpoints
                    .computeIfAbsent(endpoint.path(), any -> new EnumMap<>(Endpoint.Method.class))
                    .put(endpoint.method(), endpoint);
        }
        this.threads = threads;
        this.metrics = metrics;
    }

    @Override
    public Mono<HandlerFunction<ServerResponse>> route(ServerRequest request) {
        Map<Endpoint.Method, Endpoint> methods = endpoints.get(request.uri().getRawPath());
        return methods == null ? Mono.empty() : Mono.just(any -> handle(request, methods));
    }

    private Mono<ServerResponse> handle(ServerRequest request, Map<Endpoint.Method, Endpoint> methods) {
        String method = request.method().name();
        for (Endpoint endpoint : methods.values()) {
            if (endpoint.method().name().equals(method)) {
                return answer(
                        endpoint, request.uri().getRawQuery(), request.headers().header(ControlApi.DEADLINE));
            }
        }
        String allowed = methods.keySet().stream().map(Enum::name).collect(Collectors.joining(", "));
        Reply reply = Reply.problem(
                HttpStatus.METHOD_NOT_ALLOWED, "method", method + " " + request.path() + ": expected " + allowed);
        return send(reply, headers -> headers.set(HttpHeaders.ALLOW, allowed));
    }

    private Mono<ServerResponse> answer(Endpoint endpoint, @Nullable String rawQuery, List<String> deadlines) {
        if (!endpoint.blocking()) {
            return send(run(endpoint, rawQuery, deadlines), headers -> {});
        }
        return Mono.fromFuture(
                        () -> CompletableFuture.supplyAsync(() -> run(endpoint, rawQuery, deadlines), threads), true)
                .flatMap(reply -> send(reply, headers -> {}));
    }

    private Reply run(Endpoint endpoint, @Nullable String rawQuery, List<String> deadlines) {
        long start = System.nanoTime();
        Reply reply = Reply.of(endpoint, rawQuery, deadlines);
        metrics.verb(endpoint.name(), reply.outcome(), Duration.ofNanos(System.nanoTime() - start));
        return reply;
    }

    private static Mono<ServerResponse> send(Reply reply, Consumer<HttpHeaders> headers) {
        ServerResponse.BodyBuilder response =
                ServerResponse.status(reply.status()).headers(headers);
        return reply.type() == null
                ? response.build()
                : response.contentType(reply.type()).bodyValue(reply.body());
    }
}
