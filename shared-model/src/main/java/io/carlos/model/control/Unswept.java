package io.carlos.model.control;

import java.util.List;

/**
 * The {@link Problem} of a sweep that has left units behind.
 *
 * @param units the names of those that did not stop, sorted, and never none; all others have stopped
 */
public record Unswept(String type, String title, int status, String detail, List<String> units) {
    public Unswept {
        units = units.stream().sorted().toList();
        if (units.isEmpty()) {
            throw new IllegalArgumentException("unswept: no units, expected those that did not stop");
        }
    }

    public static Unswept of(Problem problem, List<String> units) {
        return new Unswept(Problem.UNSWEPT, problem.title(), problem.status(), problem.detail(), units);
    }
}
