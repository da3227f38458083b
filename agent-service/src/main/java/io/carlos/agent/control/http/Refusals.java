package io.carlos.agent.control.http;

import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.control.UnsweptException;
import io.carlos.model.control.NotReady;
import io.carlos.model.control.Problem;
import io.carlos.model.control.Unswept;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.UnitName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What an answer that is no success tells of the unit. Whatever does not say that nothing runs leaves it open. */
final class Refusals {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int HEAD_TOO_LARGE = 431;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final String DOCUMENT = "answer of the control service";

    private Refusals() {}

    static ControlException of(Verb verb, Answer answer) {
        Optional<NotReady> notReady = notReady(answer);
        if (notReady.isPresent()) {
            return new ControlException(Outcome.NOT_READY, verb + ": " + describe(notReady.get()));
        }
        Optional<Problem> problem = read(answer, Problem.class);
        Set<UnitName> unswept = unswept(answer, problem.map(Problem::type).orElse(Problem.NO_TYPE));
        if (!unswept.isEmpty()) {
            return new UnsweptException(
                    verb + ": " + problem.map(Problem::detail).orElse(""), unswept);
        }
        String detail = problem.map(Problem::detail).orElse("it says nothing that can be read");
        return new ControlException(
                outcome(answer.status(), problem.map(Problem::type).orElse(Problem.NO_TYPE)),
                verb + ": answered with " + answer.status() + ": " + detail);
    }

    /** The probe's lines, when the box not being ready is why. */
    static Optional<NotReady> notReady(Answer answer) {
        return answer.status() == SERVICE_UNAVAILABLE ? read(answer, NotReady.class) : Optional.empty();
    }

    /** The units that a sweep has left; empty when that is not what the answer says, or not all of them can be understood. */
    private static Set<UnitName> unswept(Answer answer, String type) {
        List<String> names = type.equals(Problem.UNSWEPT)
                ? read(answer, Unswept.class).map(Unswept::units).orElse(List.of())
                : List.of();
        Set<UnitName> units =
                names.stream().map(UnitName::parse).flatMap(Optional::stream).collect(Collectors.toSet());
        return units.size() == names.size() ? units : Set.of();
    }

    private static Outcome outcome(int status, String type) {
        return switch (type) {
            case Problem.NOTHING_RUNS -> Outcome.NOTHING_RUNS;
            case Problem.MAY_RUN -> Outcome.MAY_RUN;
            case Problem.STOPPED -> Outcome.STOPPED;
            case Problem.STILL_LOADED -> Outcome.STILL_LOADED;
            case Problem.EXPIRED -> Outcome.EXPIRED;
            default ->
                switch (status) {
                    case CONFLICT -> Outcome.BUSY;
                    case BAD_REQUEST, NOT_FOUND, METHOD_NOT_ALLOWED, HEAD_TOO_LARGE -> Outcome.NOTHING_RUNS;
                    default -> Outcome.MAY_RUN;
                };
        };
    }

    private static String describe(NotReady notReady) {
        for (ProbeLine line : notReady.lines()) {
            if (line.verdict() == ProbeLine.Verdict.FAIL) {
                return notReady.detail() + ": " + line;
            }
        }
        return notReady.detail();
    }

    private static <T> Optional<T> read(Answer answer, Class<T> type) {
        try {
            return Optional.of(CarlosJson.read(DOCUMENT, answer.body(), type));
        } catch (InvalidDocumentException e) {
            return Optional.empty(); // the status alone has to do
        }
    }
}
