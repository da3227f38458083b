package io.carlos.model.control;

import java.util.List;

/** The names of the units that a sweep stopped, sorted. */
public record SweepAnswer(List<String> units) {
    public SweepAnswer {
        units = units.stream().sorted().toList();
    }
}
