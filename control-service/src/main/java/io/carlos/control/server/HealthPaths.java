package io.carlos.control.server;

import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Lets through what tells how the service is, and nothing that does anything. */
record HealthPaths(HttpHandler handler) implements HttpHandler {
    private static final Set<String> PATHS = Set.of(
            "/actuator/health",
            "/actuator/health/liveness",
            "/actuator/health/readiness",
            "/actuator/prometheus",
            "/actuator/info");

    @Override
    public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
        if (!PATHS.contains(request.getURI().getRawPath())) {
            return refuse(
                    response,
                    HttpStatus.NOT_FOUND,
                    "only " + PATHS.stream().sorted().toList() + " are here");
        }
        if (!request.getMethod().equals(HttpMethod.GET)) {
            return refuse(response, HttpStatus.METHOD_NOT_ALLOWED, "expected GET");
        }
        return handler.handle(request, response);
    }

    private static Mono<Void> refuse(ServerHttpResponse response, HttpStatus status, String detail) {
        Reply reply = Reply.problem(status, "refused", detail);
        response.setStatusCode(status);
        response.getHeaders().setContentType(reply.type());
        return response.writeWith(Mono.just(response.bufferFactory().wrap(reply.body())));
    }
}
