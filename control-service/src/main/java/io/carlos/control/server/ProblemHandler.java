package io.carlos.control.server;

import io.carlos.model.control.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers what no endpoint answered: a path that is none, and whatever failed on the way to one. */
@Order(-2)
public final class ProblemHandler implements WebExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ProblemHandler.class);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(failure);
        }
        HttpStatusCode status =
                failure instanceof ErrorResponse known ? known.getStatusCode() : HttpStatus.INTERNAL_SERVER_ERROR;
        if (status.is5xxServerError()) {
            log.error("{}: failed", exchange.getRequest().getPath(), failure);
        }
        if (failure instanceof ErrorResponse known) {
            response.getHeaders().putAll(known.getHeaders());
        }
        response.setStatusCode(status);
        response.getHeaders().setContentType(MediaType.parseMediaType(Problem.MEDIA_TYPE));
        byte[] body = Problems.json(Problems.of(status.value(), detail(exchange, status)));
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }

    private static String detail(ServerWebExchange exchange, HttpStatusCode status) {
        String request = exchange.getRequest().getMethod() + " "
                + exchange.getRequest().getURI().getRawPath();
        if (status.isSameCodeAs(HttpStatus.NOT_FOUND)) {
            return request + ": there is nothing here";
        }
        return request
                + (status.is5xxServerError() ? ": a defect of the service; its log tells more" : ": not possible");
    }
}
