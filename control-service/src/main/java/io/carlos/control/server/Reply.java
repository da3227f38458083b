package io.carlos.control.server;

import io.carlos.control.ready.NotReadyException;
import io.carlos.control.request.BadRequestException;
import io.carlos.control.request.Endpoint;
import io.carlos.control.request.Query;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.verb.BusyException;
import io.carlos.control.verb.ExpiredException;
import io.carlos.control.verb.FailedStartException;
import io.carlos.control.verb.StillLoadedException;
import io.carlos.control.verb.UnfinishedException;
import io.carlos.control.verb.UnsweptException;
import io.carlos.model.control.NotReady;
import io.carlos.model.control.Problem;
import io.carlos.model.control.Unswept;
import io.carlos.model.json.CarlosJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * An answer that is ready to be sent.
 *
 * @param outcome what metrics call it
 */
record Reply(HttpStatus status, String outcome, @Nullable MediaType type, byte[] body) {
    private static final Logger log = LoggerFactory.getLogger(Reply.class);
    private static final int CONFLICT = HttpStatus.CONFLICT.value();
    private static final MediaType PROBLEM = MediaType.parseMediaType(Problem.MEDIA_TYPE);

    /**
     * Runs an endpoint's action; whatever comes of it is a reply.
     *
     * @param deadlines the values of the header of a deadline
     */
    static Reply of(Endpoint endpoint, @Nullable String rawQuery, List<String> deadlines) {
        try {
            return ok(endpoint.action().run(Query.parse(rawQuery, endpoint.parameters(), deadlines)));
        } catch (BadRequestException e) {
            return problem(HttpStatus.BAD_REQUEST, "bad_request", e);
        } catch (StillLoadedException e) {
            return problem("still_loaded", Problems.of(Problem.STILL_LOADED, CONFLICT, String.valueOf(e.getMessage())));
        } catch (ExpiredException e) {
            log.warn("{}: expired: {}", endpoint.name(), e.getMessage());
            return problem("expired", Problems.of(Problem.EXPIRED, CONFLICT, String.valueOf(e.getMessage())));
        } catch (BusyException e) {
            return problem(HttpStatus.CONFLICT, "busy", e);
        } catch (FailedStartException e) {
            log.warn("{}: not started: {}", endpoint.name(), e.getMessage());
            return failedStart(e);
        } catch (SystemdException e) {
            log.warn("{}: refused: {}", endpoint.name(), e.getMessage());
            return problem(HttpStatus.BAD_GATEWAY, "refused", e);
        } catch (UnsweptException e) {
            log.warn("{}: unfinished: {}", endpoint.name(), e.getMessage());
            return unswept(e);
        } catch (UnfinishedException e) {
            log.warn("{}: unfinished: {}", endpoint.name(), e.getMessage());
            return problem(HttpStatus.BAD_GATEWAY, "unfinished", e);
        } catch (NotReadyException e) {
            byte[] body = CarlosJson.write(NotReady.of(e.report()));
            return new Reply(HttpStatus.SERVICE_UNAVAILABLE, "not_ready", PROBLEM, body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            String detail = "the service is stopping, and what was begun may go on; ask again later";
            return problem("interrupted", Problems.of(Problem.MAY_RUN, 503, detail));
        } catch (RuntimeException e) {
            log.error("{}: failed", endpoint.name(), e);
            return problem(HttpStatus.INTERNAL_SERVER_ERROR, "failed", "a defect of the service; its log tells more");
        }
    }

    static Reply problem(HttpStatus status, String outcome, String detail) {
        return problem(outcome, Problems.of(status.value(), detail));
    }

    private static Reply problem(HttpStatus status, String outcome, Exception cause) {
        return problem(status, outcome, String.valueOf(cause.getMessage()));
    }

    private static Reply failedStart(FailedStartException failure) {
        String detail = String.valueOf(failure.getMessage());
        int status = HttpStatus.BAD_GATEWAY.value();
        return switch (failure.remains()) {
            case NOTHING_AFTER_A_STOP -> problem("stopped", Problems.of(Problem.STOPPED, CONFLICT, detail));
            case NOTHING -> problem("not_started", Problems.of(Problem.NOTHING_RUNS, status, detail));
            case PERHAPS_ALL -> problem("may_run", Problems.of(Problem.MAY_RUN, status, detail));
        };
    }

    private static Reply unswept(UnsweptException failure) {
        HttpStatus status = HttpStatus.BAD_GATEWAY;
        Problem problem = Problems.of(status.value(), String.valueOf(failure.getMessage()));
        byte[] body = CarlosJson.write(Unswept.of(problem, List.copyOf(failure.units())));
        return new Reply(status, "unfinished", PROBLEM, body);
    }

    private static Reply problem(String outcome, Problem problem) {
        return new Reply(HttpStatus.valueOf(problem.status()), outcome, PROBLEM, Problems.json(problem));
    }

    private static Reply ok(@Nullable Object value) {
        return value == null
                ? new Reply(HttpStatus.NO_CONTENT, "ok", null, new byte[0])
                : new Reply(HttpStatus.OK, "ok", MediaType.APPLICATION_JSON, CarlosJson.write(value));
    }
}
