package io.carlos.agent.service.admin;

import io.carlos.agent.control.ControlException;
import io.carlos.model.control.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Makes a {@link Problem} of whatever failed. */
@RestControllerAdvice
final class AdminErrors {
    private static final Logger log = LoggerFactory.getLogger(AdminErrors.class);
    private static final MediaType PROBLEM = MediaType.parseMediaType(Problem.MEDIA_TYPE);

    @ExceptionHandler
    ResponseEntity<Problem> problem(Exception failure, ServerHttpRequest request) {
        String asked = request.getMethod() + " " + request.getURI().getRawPath();
        return switch (failure) {
            case AdminException e -> problem(e.status(), String.valueOf(e.getMessage()));
            case ControlException e -> problem(status(e), String.valueOf(e.getMessage()));
            case InterruptedException _ ->
                problem(HttpStatus.SERVICE_UNAVAILABLE, asked + ": the agent is stopping; ask again when it is back");
            case ErrorResponse known -> problem(known.getStatusCode(), asked + ": " + why(failure, known));
            default -> {
                log.error("{}: failed", asked, failure);
                yield problem(HttpStatus.INTERNAL_SERVER_ERROR, asked + ": a defect of the agent; its log tells more");
            }
        };
    }

    private static HttpStatus status(ControlException failure) {
        return switch (failure.outcome()) {
            case BUSY, STILL_LOADED, STOPPED -> HttpStatus.CONFLICT;
            case NOT_READY -> HttpStatus.SERVICE_UNAVAILABLE;
            case NOTHING_RUNS, EXPIRED, MAY_RUN -> HttpStatus.BAD_GATEWAY;
        };
    }

    /** A value that is none says by itself what is wrong with it. */
    private static String why(Throwable failure, ErrorResponse known) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalArgumentException refusal) {
                return String.valueOf(refusal.getMessage());
            }
        }
        if (known.getStatusCode().isSameCodeAs(HttpStatus.NOT_FOUND)) {
            return "there is nothing here";
        }
        return String.valueOf(known.getBody().getDetail());
    }

    private static ResponseEntity<Problem> problem(HttpStatusCode status, String detail) {
        HttpStatus known = HttpStatus.resolve(status.value());
        String title = known == null ? "Error" : known.getReasonPhrase();
        return ResponseEntity.status(status)
                .contentType(PROBLEM)
                .body(new Problem(Problem.NO_TYPE, title, status.value(), detail));
    }
}
